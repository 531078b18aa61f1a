"""Do the large extents of an output lie in phase with their source? DESIGN.md, section 5.5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from common import Faults, Malformed
from isomedia import Unit
from media import AudioTrack
from payload import Pair, Segment, expected_units

ALIGNED_EXTENT = 128 * 1024
PHASE = 4096


class MdatPayload(NamedTuple):
    """File offsets of an mdat's content."""

    start: int
    end: int


@dataclass(slots=True)
class _Run:
    """Access units that lie one behind the other in their source and in the output."""

    first: Pair
    last: Pair
    splits: bool  # its segment goes on with the next bytes of the source, but elsewhere in the output

    @property
    def length(self) -> int:
        return self.last.out.offset + self.last.out.size - self.first.out.offset

    def __str__(self) -> str:
        return (
            f"AUs {self.first.out.number}..<{self.last.out.number + 1} ({self.length} bytes at offset "
            f"{self.first.out.offset}, from offset {self.first.source.offset} of {self.first.segment.path})"
        )


def check_phase(out: AudioTrack, segments: list[Segment], mdats: list[MdatPayload], faults: Faults) -> None:
    """Every contiguous run of 128 KiB or more begins an mdat of its own, in phase with its source.

    Runs are joined across segments where they are contiguous on both sides. Inside one segment a large run of
    source bytes must not be split. Byte-swapped sources cannot be borrowed from and have no phase.
    """
    pairs = [Pair(found, *due) for found, due in zip(out.units(), expected_units(segments))]
    _check_splits(pairs, faults)
    begins = {mdat.start: mdat for mdat in mdats}
    for run in _runs(pairs):
        if run.length < ALIGNED_EXTENT or run.splits or run.first.segment.track.swapped:
            continue
        mdat = begins.get(run.first.out.offset)
        if mdat is None:
            faults.add("phase.mdat", f"{run} do not begin an mdat")
            continue
        is_phase, due_phase = run.first.out.offset % PHASE, run.first.source.offset % PHASE
        faults.require(
            is_phase == due_phase, "phase.offset", f"{run}: phase {is_phase} instead of {due_phase}"
        )
        surplus = mdat.end - run.first.out.offset - run.length
        faults.require(surplus == 0, "phase.shared", f"{run}: their mdat holds {surplus} bytes more")


def _follows(left: Unit, right: Unit) -> bool:
    return left.offset + left.size == right.offset


def _runs(pairs: list[Pair]) -> list[_Run]:
    runs: list[_Run] = []
    for pair in pairs:
        last = runs[-1].last if runs else None
        same_source = last is not None and last.segment.track is pair.segment.track
        source_follows = last is not None and same_source and _follows(last.source, pair.source)
        if last is not None and source_follows and _follows(last.out, pair.out):
            runs[-1].last = pair
            continue
        splits = last is not None and source_follows and last.segment is pair.segment
        if runs and splits:
            runs[-1].splits = True
        runs.append(_Run(pair, pair, splits))
    return runs


def _check_splits(pairs: list[Pair], faults: Faults) -> None:
    """Large runs of source bytes inside one segment are in one piece in the output."""
    start = 0
    for index in range(1, len(pairs) + 1):
        if index < len(pairs):
            last, pair = pairs[index - 1], pairs[index]
            if last.segment is pair.segment and _follows(last.source, pair.source):
                continue
        stretch = pairs[start:index]
        start = index
        if not stretch or stretch[0].segment.track.swapped:
            continue
        length = sum(pair.source.size for pair in stretch)
        breaks = [b for a, b in zip(stretch, stretch[1:]) if not _follows(a.out, b.out)]
        if length >= ALIGNED_EXTENT and breaks:
            faults.add(
                "phase.split",
                f"{length} bytes from offset {stretch[0].source.offset} of {stretch[0].segment.path} "
                f"are split at AU {breaks[0].out.number} (offset {breaks[0].out.offset})",
            )


def find_segment(out: AudioTrack, source: AudioTrack, mdats: list[MdatPayload]) -> Segment:
    """The range of `source` that `out` is a copy of, found by content.

    Where several ranges hold the same bytes (silence), one that puts the runs into phase is preferred.
    """
    wanted, have = list(out.units()), list(source.units())

    def matches(start: int) -> bool:
        return all(
            unit.size == have[start + i].size
            and out.file.read(unit.offset, unit.size) == source.read(have[start + i].offset, unit.size)
            for i, unit in enumerate(wanted)
        )

    found: Segment | None = None
    for start in range(len(have) - len(wanted) + 1):
        if not matches(start):
            continue
        found = Segment(source, start, start + len(wanted))
        faults = Faults()
        check_phase(out, [found], mdats, faults)
        if not faults:
            break
    if found is None:
        raise Malformed("phase.source", f"not one range of {source.file.path}: say which ones with --range")
    return found
