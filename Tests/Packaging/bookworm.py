"""A Debian 12 in a folder, for tests of what is made for other machines. It takes root, debootstrap and the network."""

import fcntl
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
    """Its folder, to be copied; made once, by one process at a time, in a mount namespace so that no end leaves mounts."""
    root, making = WORK / "base", WORK / "base.new"
    WORK.mkdir(parents=True, exist_ok=True)
    with open(WORK / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.exists():
            shutil.rmtree(making, ignore_errors=True)
            subprocess.run(["unshare", "--mount", "debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm",
                            making], check=True, stdout=subprocess.DEVNULL)
            making.rename(root)
    return root


def copy(name):
    """A copy of it to change."""
    root = WORK / name
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", base(), root], check=True)
    return root
