"""What every part of the judge needs: faults, malformed input, and bytes of a file by offset."""

from __future__ import annotations

import mmap
import os
import struct
from collections import Counter

FAULTS_SHOWN_PER_CODE = 10


class Malformed(Exception):
    """Input that cannot be read any further. `code` is stable, `message` is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class Faults:
    """The faults found so far; at most FAULTS_SHOWN_PER_CODE of one code are kept, the others are counted."""

    def __init__(self) -> None:
        self._lines: list[tuple[str, str]] = []
        self._counts: Counter[str] = Counter()

    def add(self, code: str, message: str) -> None:
        self._counts[code] += 1
        if self._counts[code] <= FAULTS_SHOWN_PER_CODE:
            self._lines.append((code, message))

    def add_malformed(self, error: Malformed) -> None:
        self.add(error.code, error.message)

    def require(self, condition: bool, code: str, message: str) -> bool:
        """Add a fault unless `condition` holds; returns the condition."""
        if not condition:
            self.add(code, message)
        return condition

    def __bool__(self) -> bool:
        return bool(self._lines)

    def count(self, code: str) -> int:
        return self._counts[code]

    def entries(self) -> list[dict[str, str]]:
        """Each fault as {code, message}, with a closing entry for every code that had more than was kept."""
        result = [{"code": code, "message": message} for code, message in self._lines]
        for code, count in self._counts.items():
            if count > FAULTS_SHOWN_PER_CODE:
                result.append(
                    {"code": code, "message": f"and {count - FAULTS_SHOWN_PER_CODE} more of this kind"}
                )
        return result

    def lines(self) -> list[str]:
        return [f"{entry['code']}: {entry['message']}" for entry in self.entries()]


class FileBytes:
    """Bounds-checked big-endian reads from a mapped file. Only the pages that are asked for are touched."""

    def __init__(self, path: str) -> None:
        self.path = path
        with open(path, "rb") as handle:
            self.size = os.fstat(handle.fileno()).st_size
            self._map: mmap.mmap | bytes = b""
            if self.size:
                self._map = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)

    def read(self, offset: int, size: int) -> bytes:
        """Exactly `size` bytes at `offset`, else Malformed."""
        self._check(offset, size)
        return self._map[offset : offset + size]

    def peek(self, offset: int, size: int) -> bytes:
        """Up to `size` bytes at `offset`; fewer at the end of the file."""
        return self._map[offset : offset + size]

    def unpack(self, layout: str, offset: int) -> tuple[int, ...]:
        """Big-endian fields in the notation of `struct` without its byte order mark."""
        layout = ">" + layout
        self._check(offset, struct.calcsize(layout))
        return struct.unpack_from(layout, self._map, offset)

    def u8(self, offset: int) -> int:
        return self.unpack("B", offset)[0]

    def u16(self, offset: int) -> int:
        return self.unpack("H", offset)[0]

    def u32(self, offset: int) -> int:
        return self.unpack("I", offset)[0]

    def u64(self, offset: int) -> int:
        return self.unpack("Q", offset)[0]

    def _check(self, offset: int, size: int) -> None:
        if offset < 0 or size < 0 or offset + size > self.size:
            raise Malformed(
                "file.end", f"{size} bytes at offset {offset} pass the end of {self.path} ({self.size})"
            )


def swap_words(data: bytes) -> bytes:
    """Exchange the two bytes of every 16-bit word (0x770B streams); a last odd byte stays."""
    swapped = bytearray(data)
    even = len(data) & ~1
    swapped[0:even:2], swapped[1:even:2] = data[1:even:2], data[0:even:2]
    return bytes(swapped)
