#!/usr/bin/env python3
"""The seed corpus: the smallest files of each shape, made with the writer that makes the test media.

usage: seeds.py OUT      writes OUT/<target>/<seed>
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Media"))

from craft import (audio_entry, bits, ec3, encrypted_entry, quicktime_entry, terse_fragment,  # noqa: E402
                   wordy_fragment)
from movie import Movie, Track, box, full, u8, u16, u32  # noqa: E402
from syncframes import swapped  # noqa: E402

UNIT = 1536


# Syncframes

def frame(size=16, kind=0, number=0, rate=0, blocks=3, mode=2, lfe=0, complexity=None, channel_map=None):
    """An E-AC-3 frame with a whole header and filler behind it; `blocks` is numblkscod."""
    dependent = [(1, 1), (channel_map, 16)] if channel_map is not None else [(0, 1)] if kind == 1 else []
    convsync = [(1, 1)] if kind == 0 and blocks < 3 and rate < 3 else []
    objects = [(1, 1), (1, 6), (1, 8), (complexity, 8)] if complexity else [(0, 1)]
    head = bits((0x0B77, 16), (kind, 2), (number, 3), (size // 2 - 1, 11), (rate, 2), (blocks, 2), (mode, 3),
                (lfe, 1), (16, 5), (27, 5), (0, 1), *dependent, (0, 2), *convsync, *objects)
    return with_checksum(head + bytes([0xA5]) * (size - 2 - len(head)))


def with_checksum(data):
    """A frame whose last two bytes are still missing, with them (A/52, 7.10.1)."""
    register = 0
    for byte in data[2:]:
        register ^= byte << 8
        for _ in range(8):
            register = (register << 1 ^ (0x8005 if register & 0x8000 else 0)) & 0xFFFF
    return data + u16(register)


def plain_frame(code=0):
    """An AC-3 frame at 48 kHz: 128 bytes for size code 0."""
    head = bits((0x0B77, 16), (0, 16), (0, 2), (code, 6), (8, 5), (0, 3), (2, 3), (0, 2), (0, 1), (27, 5),
                (0, 3), (0, 2), (0, 3))
    return head + bytes([0xA5]) * (128 - len(head))


JOC = [frame(complexity=3)] * 6
VARYING = [frame(size) for size in (16, 20, 16, 24, 14)]
SEVEN = [frame(mode=7, lfe=1) + frame(14, kind=1, mode=6, channel_map=0x1A00)] * 4
PROGRAMMES = [frame() + frame(12, number=1, mode=1)] * 4
SHORT = [frame(14, blocks=0) * 6] * 3
HALF_RATE = [frame(rate=3, blocks=0)] * 4
AC3 = [plain_frame()] * 3

# dec3 payloads
STEREO_JOC = "0020 200400 0103"
STEREO = "0030 200400"


# What is asked of a file: see CutRequest.swift

EXACT, CLAMP, IGNORE, MIXED, PRE_ROLL, ELEMENTARY = 1, 8, 16, 32, 64, 128
ALL, UNITS, SAMPLES, MILLISECONDS = 0, 1, 3, 4


def part(start=(ALL, 0), end=(ALL, 0), length=False, second=False):
    kinds = start[0] | end[0] << 3 | (64 if length else 0) | (128 if second else 0)
    return u8(kinds) + u16(start[1], end[1]) + u8(0)


def ask(*parts, flags=0, pre_roll=0, shape=0, track=0):
    asked = u8(flags, pre_roll, shape | max(0, len(parts) - 1), track) + b"".join(parts)
    return asked.ljust(32, b"\0")


WHOLE = ask(part())
INNER = ask(part((UNITS, 1), (UNITS, 3)))
EXACTLY = ask(part((SAMPLES, 2000), (SAMPLES, 5000)), flags=EXACT)
JOIN = ask(part((SAMPLES, 100), (SAMPLES, 2500)), part((SAMPLES, 3000), (SAMPLES, 3500), length=True, second=True),
           part((MILLISECONDS, 40)), flags=EXACT)
TWO_PARTS = ask(part((UNITS, 0), (UNITS, 2)), part((UNITS, 3), (UNITS, 5)))
PIECES = ask(part((ALL, 0), (UNITS, 2), length=True))


# Movies

def movie(units, *entries, moov_last=True, in_moov=b"", **fields):
    return Movie([Track(units, list(entries), **fields)], moov_last=moov_last, in_moov=in_moov).bytes()


def two_tracks():
    """An encrypted one in front of one that can be cut."""
    tracks = [Track(JOC[:2], [encrypted_entry()]), Track(JOC[:3], [ec3(STEREO_JOC, channels=2)], id=2)]
    return Movie(tracks, moov_last=True).bytes()


def extends(size=16):
    return box("mvex", full("trex", 0, 0, u32(1, 1, UNIT, size, 0)))


def fragmented(head, entry, *fragments, **fields):
    data = movie(head, entry, in_moov=extends(), **fields)
    for fragment in fragments:
        data += fragment(len(data))
    return data


def empty_head(entry, **fields):
    """A movie box whose tables are empty."""
    head = Movie([Track([], [entry], sizes="table", **fields)], in_moov=extends(), offsets={1: []})
    return box("ftyp", b"iso5", u32(0), b"iso5dby1") + head.moov()


def streamed(time=0, **fields):
    data = empty_head(ec3(STEREO_JOC, channels=2), **fields)
    data += terse_fragment(1, time, JOC[:3])
    return data + wordy_fragment(2, time + 3 * UNIT, JOC, len(data), second_offset=False)


SEEDS = {
    "mp4-plan": {
        "constant": movie(JOC, ec3(STEREO_JOC, channels=2)) + EXACTLY,
        "moov-first": movie(JOC, ec3(STEREO_JOC, channels=2), moov_last=False, per_chunk=2) + JOIN,
        "varying": movie(VARYING, ec3(STEREO, channels=2), sizes="table", wide_offsets=True, per_chunk=2)
        + INNER,
        "varying-join": movie(VARYING, ec3(STEREO, channels=2), sizes="table") + TWO_PARTS,
        "edited": movie(JOC, ec3(STEREO_JOC, channels=2), edits=[(480, -1, 1), (8000, 256, 1)], version=1) + JOIN,
        "priming": movie(JOC, ec3(STEREO_JOC, channels=2), edits=[(8000, 256, 1)]) + EXACTLY,
        "fragments": streamed() + JOIN,
        "late-fragments": streamed(time=4800, edits=[(0, 4800, 1)]) + EXACTLY,
        "hybrid": fragmented(JOC[:2], ec3(STEREO_JOC, channels=2), lambda at: terse_fragment(1, 2 * UNIT, JOC[:2]),
                             lambda at: wordy_fragment(2, 4 * UNIT, VARYING, at)) + TWO_PARTS,
        "entries": movie(VARYING, ec3(STEREO), ec3(STEREO), entry_of_chunk=lambda chunk: 1 + chunk % 2,
                         per_chunk=2, sizes="stz2/8") + INNER,
        "encrypted": two_tracks() + WHOLE,
        "quicktime": movie(JOC[:3], quicktime_entry()) + WHOLE,
        "seven": movie(SEVEN, ec3("0040 200f0202", channels=8), per_chunk=1) + PIECES,
        "ac3": movie(AC3, audio_entry("ac-3", box("dac3", bytes.fromhex("101000")), channels=2)) + WHOLE,
    },
    "elementary": {
        "joc": b"".join(JOC) + JOIN,
        "varying": b"".join(VARYING) + INNER,
        "programmes": b"".join(PROGRAMMES) + WHOLE,
        "short": b"ID3\x04\0\0\0\0\0\x04tag." + b"".join(SHORT) + EXACTLY,
        "half-rate": b"".join(HALF_RATE) + bytes(8) + PIECES,
        "swapped": swapped(b"".join(JOC)) + WHOLE,
    },
    "dec3": {
        "joc": bytes.fromhex(STEREO_JOC),
        "dependent": bytes.fromhex("0480 200f0202"),
        "two": bytes.fromhex("0381 200f00 200400 0110 ff"),
        "dac3": bytes.fromhex("101000"),
    },
    "syncframe": {
        "joc": JOC[0], "seven": SEVEN[0] * 2, "programmes": PROGRAMMES[0], "short": SHORT[0] + SHORT[0][:14],
        "ac3": AC3[0], "swapped": swapped(VARYING[0] + VARYING[1]),
    },
    "times": {
        "clock": b"01:02:03.5-02:03.25\n500ms", "units": b"156au-312au\n12.5", "samples": b"240000smp-\n0.1s",
    },
}


def write(out):
    for target, seeds in SEEDS.items():
        (out / target).mkdir(parents=True, exist_ok=True)
        for name, seed in seeds.items():
            (out / target / name).write_bytes(seed)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
