#!/usr/bin/env python3
"""Reads every fixture back and writes INDEX.tsv.

usage: index.py WORK OUT

What a file holds is read from the file; its purpose and notes come from the script that made it. Columns:
  AUs, AU_bytes, rate   access units, their size, and the sample rate in their syncframes
  config                payload of dec3, dac3 or dac4, one for each sample entry
  stts                  runs of count x delta /media timescale; those of fragments after a +
  elst                  media_time:segment_duration:rate of each edit /movie timescale
Audio tracks are separated by " | "; video is not described.
"""

import hashlib
import sys
from itertools import groupby
from pathlib import Path

from syncframes import swapped, syncframe, units
from tracks import audio_tracks

COLUMNS = ("file", "bytes", "sha256", "purpose", "AUs", "AU_bytes", "rate", "config", "stts", "elst", "notes")
FILE_LIMIT, TOTAL_LIMIT = 95_000, 900_000


def declare(work, name, purpose, notes):
    """Says that the file `name` was made, and why."""
    with open(work / "fixtures.tsv", "a", encoding="utf-8") as declared:
        declared.write(f"{name}\t{purpose}\t{notes}\n")


def describe(data):
    """AUs, AU_bytes, rate, config, stts, elst, each with a text a track."""
    tracks = [track_columns(track) for track in audio_tracks(data)] if data[4:8] == b"ftyp" else \
        [stream_columns(data)]
    return [" | ".join(column) for column in zip(*tracks)]


def stream_columns(data):
    if data[:3] == b"ID3":
        data = data[10 + sum(byte << shift for byte, shift in zip(data[6:10], (21, 14, 7, 0))):]
    if data[:2] == b"\x77\x0b":
        data = swapped(data)
    found, _ = units(data)
    return [*unit_columns(found), str(syncframe(data).rate), "-", "-", "-"]


def track_columns(track):
    rate = track.entry_rate
    if track.entry != "ac-4":
        assert all(units(sample) == ([sample], 0) for sample in track.samples), "a sample that is not an AU"
        rate = syncframe(track.samples[0]).rate
    stts = " + ".join(filter(None, [runs(track.deltas), runs(track.fragment_deltas)]))
    elst = " ".join(f"{media_time}:{duration}:{speed:g}" for media_time, duration, speed in track.edits)
    return [*unit_columns(track.samples), str(rate), " ".join(track.configs), f"{stts} /{track.timescale}",
            f"{elst} /{track.movie_timescale}" if elst else "-"]


def unit_columns(found):
    assert len(set(found)) == len(found), "two access units have the same bytes"
    sizes = sorted(map(len, found))
    return [str(len(found)), str(sizes[0]) if sizes[0] == sizes[-1] else f"variable {sizes[0]}..{sizes[-1]}"]


def runs(deltas):
    return " ".join(f"{len(list(same))}x{delta}" for delta, same in groupby(deltas))


def write_index(work, out):
    rows, total = [COLUMNS], 0
    for line in (work / "fixtures.tsv").read_text(encoding="utf-8").splitlines():
        name, purpose, notes = line.split("\t")
        data = (out / name).read_bytes()
        assert len(data) < FILE_LIMIT, f"{name} has {len(data)} bytes"
        total += len(data)
        digest = hashlib.sha256(data).hexdigest()
        rows.append((name, str(len(data)), digest, purpose, *describe(data), notes or "-"))
    assert total < TOTAL_LIMIT, f"{total} bytes in all"
    (out / "INDEX.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows) - 1} fixtures, {total} bytes")


if __name__ == "__main__":
    write_index(*map(Path, sys.argv[1:]))
