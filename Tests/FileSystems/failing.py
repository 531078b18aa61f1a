#!/usr/bin/env python3
"""A read-only FUSE file system of one file whose medium fails from a byte on.

usage: failing.py SOURCE MOUNTPOINT FIRST_BAD_BYTE

MOUNTPOINT/source shows the bytes of SOURCE; every read that reaches FIRST_BAD_BYTE or beyond ends with EIO. It runs
in the foreground until it is unmounted (fusermount -u MOUNTPOINT).
"""

import errno
import os
import stat
import sys

from fusepy import FUSE, FuseOSError, Operations


class Failing(Operations):
    def __init__(self, source, first_bad):
        self.data = open(source, "rb").read()
        self.first_bad = first_bad

    def getattr(self, path, handle=None):
        if path == "/":
            return {"st_mode": stat.S_IFDIR | 0o755, "st_nlink": 2}
        if path == "/source":
            return {"st_mode": stat.S_IFREG | 0o644, "st_nlink": 1, "st_size": len(self.data), "st_mtime": 1}
        raise FuseOSError(errno.ENOENT)

    def readdir(self, path, handle):
        return [".", "..", "source"]

    def read(self, path, size, offset, handle):
        if offset + size > self.first_bad and offset < len(self.data):
            raise FuseOSError(errno.EIO)
        return self.data[offset:offset + size]


if __name__ == "__main__":
    source, point, first_bad = sys.argv[1:]
    FUSE(Failing(os.path.abspath(source), int(first_bad)), point, foreground=True, nothreads=True)
