"""What the programs in this folder measure on: file systems of their own, and sources with JOC of any length."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURE_UNIT = 320  # bytes of an access unit of Tests/Media/joc51.ec3


def remainder(data):
    """The checksum of a syncframe: x^16 + x^15 + x^2 + 1, from 0."""
    register = 0
    for byte in data:
        register ^= byte << 8
        for _ in range(8):
            register = (register << 1 ^ 0x8005 if register & 0x8000 else register << 1) & 0xFFFF
    return register


def write_source(path, units, unit_bytes=FIXTURE_UNIT):
    """Writes an elementary stream of JOC: access units of unit_bytes, numbered behind all that is looked at, sealed.

    Access units that are longer than the fixture's are filled up with zeros, as an encoder fills up to its rate. The number
    of an access unit stands in its last bytes but two, where number_of finds it.
    """
    fixture = (ROOT / "Tests/Media/joc51.ec3").read_bytes()
    bases = []
    for at in range(0, len(fixture), FIXTURE_UNIT):
        unit = bytearray(fixture[at : at + FIXTURE_UNIT - 2].ljust(unit_bytes, b"\0"))
        size = unit_bytes // 2 - 1
        unit[2] = unit[2] & 0xF8 | size >> 8
        unit[3] = size & 0xFF
        unit[-6:] = bytes(6)
        bases.append((bytes(unit[:-6]), remainder(unit[2:-2])))
    # Checksums are linear: what each byte of the number adds is known beforehand.
    parts = [[remainder(bytes([value]) + bytes(3 - place)) for value in range(256)] for place in range(4)]
    with open(path, "wb", 1 << 22) as file:
        for unit in range(units):
            base, checksum = bases[unit % len(bases)]
            number = unit.to_bytes(4, "big")
            for place in range(4):
                checksum ^= parts[place][number[place]]
            file.write(base + number + checksum.to_bytes(2, "big"))


def number_of(unit):
    """Which access unit of a source it is."""
    return int.from_bytes(unit[-6:-2], "big")


@contextmanager
def workspace(name, folder):
    """A folder of its own that goes when the block ends, also by a signal.

    As root its mounts are those of this process alone, and go with it even when it is killed.
    """
    if os.geteuid() == 0 and OWN_MOUNTS not in os.environ:
        own = ["unshare", "--mount", "--propagation", "slave"]
        if shutil.which("unshare") and subprocess.run([*own, "true"], capture_output=True).returncode == 0:
            os.environ[OWN_MOUNTS] = "yes"
            os.execvp(own[0], [*own, sys.executable, *sys.argv])
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        made = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=folder)).resolve()
    except OSError as error:
        sys.exit(f"{name}: {error}: give --folder DIR")
    try:
        yield made
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or b""
        sys.exit("\n".join([f"{name}: {error}", said if isinstance(said, str) else said.decode(errors="replace")]).strip())
    finally:
        # A signal may come in front of whoever unmounts.
        for point in filter(os.path.ismount, made.iterdir()):
            subprocess.run(["umount", "--lazy", point], check=False)
        shutil.rmtree(made, ignore_errors=True)


OWN_MOUNTS = "KERFLESS_PERF_OWN_MOUNTS"


def need(*programs):
    """Ends where programs are missing that are needed later."""
    if missing := [program for program in programs if shutil.which(program) is None]:
        sys.exit(f"{Path(sys.argv[0]).name}: install {', '.join(missing)}")


def positive(kind):
    """Numbers above zero, for argparse."""
    def parse(text):
        try:
            if (value := kind(text)) > 0:
                return value
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"'{text}' is no number above zero")
    return parse


def some_of(known):
    """Words with commas between, for argparse."""
    def parse(text):
        words = text.split(",")
        if wrong := [word for word in words if word not in known]:
            raise argparse.ArgumentTypeError(f"'{wrong[0]}' is none of {', '.join(known)}")
        return words
    return parse


def program(text):
    """The path of a program, for argparse."""
    path = Path(text).resolve()
    if path.is_file() and os.access(path, os.X_OK):
        return path
    raise argparse.ArgumentTypeError(f"{path} is no program: build it first (make static)")


FILE_SYSTEMS = ("ext4", "xfs", "btrfs", "tmpfs")


class Place:
    """A file system, mounted from a sparse image where it has to be."""

    def __init__(self, kind, folder, size):
        self.kind = kind
        self.point = folder / kind
        self.image = folder / f"{kind}.img"
        self.point.mkdir()
        if kind == "tmpfs":
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", self.point], check=True)
            return
        with open(self.image, "wb") as file:
            file.truncate(size)
        options = {"xfs": ["-m", "reflink=1"], "btrfs": [], "ext4": []}[kind]
        subprocess.run([f"mkfs.{kind}", "-q", *options, self.image], check=True, capture_output=True)
        subprocess.run(["mount", "-o", "loop", self.image, self.point], check=True)

    def close(self):
        subprocess.run(["umount", self.point], check=True)
        self.image.unlink(missing_ok=True)

    def empty(self, folder):
        """Makes a folder of its own anew."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()

    def evict(self, path):
        """Lets the page cache forget a file, and the image below it."""
        os.sync()
        for file in (path, self.image):
            if file.exists():
                descriptor = os.open(file, os.O_RDONLY)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)
