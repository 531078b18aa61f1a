"""A Debian 12 in a folder, for tests of what is made for other machines. It takes root, debootstrap and the network."""

import os
import shutil
import subprocess
from pathlib import Path

WORK = Path(__file__).resolve().parent.parent.parent / ".build" / "image"
# What Swift's own image has beside Swift, as far as a build of this project needs it.
PACKAGES = ("ca-certificates,binutils,gcc,git,libc6-dev,libcurl4,libncurses6,libsqlite3-0,libstdc++-12-dev,libxml2,"
            "zlib1g")


def can_be_made():
    return os.geteuid() == 0 and shutil.which("debootstrap") is not None


def base():
    """Its folder, to be copied; made once."""
    root = WORK / "base"
    if not (root / "done").exists():
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", root],
                       check=True, stdout=subprocess.DEVNULL)
        (root / "done").touch()
    return root


def copy(name):
    """A copy of it to change."""
    root = WORK / name
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", base(), root], check=True)
    return root
