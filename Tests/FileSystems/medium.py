#!/usr/bin/env python3
"""A read-only FUSE file system of one file on a medium that fails from a byte on, or that is slow.

usage: medium.py SOURCE MOUNTPOINT FIRST_BAD_BYTE [MILLISECONDS LOG]

MOUNTPOINT/source shows the bytes of SOURCE; every read that reaches FIRST_BAD_BYTE or beyond ends with EIO. Every read
takes MILLISECONDS; any number go on at the same time, and the largest number that did is written to LOG. It runs in the
foreground until it is unmounted (fusermount -u MOUNTPOINT).
"""

import errno
import os
import stat
import sys
import threading
import time

from fusepy import FUSE, FuseOSError, Operations


class Medium(Operations):
    def __init__(self, source, first_bad, milliseconds, log):
        self.data = open(source, "rb").read()
        self.first_bad = first_bad
        self.pause = milliseconds / 1000
        self.log = log
        self.lock = threading.Lock()
        self.running = 0
        self.most = 0

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
        if self.pause > 0:
            self.wait()
        return self.data[offset:offset + size]

    def wait(self):
        with self.lock:
            self.running += 1
            if self.running > self.most:
                self.most = self.running
                with open(self.log, "w") as log:
                    log.write(str(self.most))
        time.sleep(self.pause)
        with self.lock:
            self.running -= 1


if __name__ == "__main__":
    source, point, first_bad = sys.argv[1:4]
    milliseconds, log = (int(sys.argv[4]), os.path.abspath(sys.argv[5])) if len(sys.argv) > 4 else (0, None)
    medium = Medium(os.path.abspath(source), int(first_bad), milliseconds, log)
    # Pages one by one where it is slow: what is read ahead would be waited for by nobody.
    options = {"max_readahead": 4096} if milliseconds else {}
    FUSE(medium, point, foreground=True, nothreads=milliseconds == 0, **options)
