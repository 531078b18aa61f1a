"""Proves that the access units of an output are, byte for byte, those of its sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from common import Faults, Malformed
from isomedia import Unit
from media import AudioTrack, ElementaryTrack

COMPARED_AT_ONCE = 1 << 20


@dataclass(slots=True)
class Segment:
    """Access units start..<end of a source; to its last one when `end` is None."""

    track: AudioTrack
    start: int
    end: int | None

    @property
    def path(self) -> str:
        return self.track.file.path

    def units(self) -> Iterator[Unit]:
        """The units of the range; Malformed when the source does not have them all."""
        behind = self.start
        for unit in self.track.units(self.start, self.end):
            behind = unit.number + 1
            yield unit
        if self.end is None and behind == self.start or self.end is not None and behind != self.end:
            end = "" if self.end is None else self.end
            raise Malformed("source.range", f"{self.path} has no AUs {behind}..<{end}")


class Pair(NamedTuple):
    """An access unit of the output and the one of a source that it must equal."""

    out: Unit
    segment: Segment
    source: Unit


def expected_units(segments: list[Segment]) -> Iterator[tuple[Segment, Unit]]:
    return chain.from_iterable(((segment, unit) for unit in segment.units()) for segment in segments)


def check_payload(out: AudioTrack, segments: list[Segment], faults: Faults) -> None:
    """Add a fault for access units of `out` that are missing, surplus, or not the bytes of their source."""
    run: list[Pair] = []
    length = 0
    count_found = count_due = 0
    for found, due in zip_longest(out.units(), expected_units(segments)):
        count_found += found is not None
        count_due += due is not None
        if found is None or due is None:
            continue
        pair = Pair(found, *due)
        if found.size != pair.source.size:
            faults.add(
                "payload.size",
                f"AU {found.number} has {found.size} bytes, "
                f"AU {pair.source.number} of {pair.segment.path} has {pair.source.size}",
            )
            continue
        if run and not (_continues(run[-1], pair) and length < COMPARED_AT_ONCE):
            _compare(out, run, faults)
            run, length = [], 0
        run.append(pair)
        length += found.size
    if run:
        _compare(out, run, faults)
    if count_found != count_due:
        faults.add("payload.count", f"{count_found} AUs instead of {count_due}")
    if isinstance(out, ElementaryTrack):
        check_nothing_but_units(out, faults)


def check_nothing_but_units(out: ElementaryTrack, faults: Faults) -> None:
    """An elementary stream that was written by us is access units and nothing else."""
    if out.tail_offset is None:
        _ = out.count  # walks to the end
    if out.start:
        faults.add("payload.head", f"{out.start} bytes in front of the first AU")
    if out.swapped:
        faults.add("payload.byte-order", "the stream is byte-swapped")
    if out.tail_bytes:
        faults.add(
            "payload.tail",
            f"{out.tail_bytes} bytes behind the last whole AU ({out.tail_fault or 'none'})",
        )


def _continues(last: Pair, pair: Pair) -> bool:
    return (
        last.segment is pair.segment
        and last.out.offset + last.out.size == pair.out.offset
        and last.source.offset + last.source.size == pair.source.offset
    )


def _compare(out: AudioTrack, run: list[Pair], faults: Faults) -> None:
    """Compare a stretch that is contiguous on both sides; AU by AU only when it differs."""
    length = run[-1].out.offset + run[-1].out.size - run[0].out.offset
    found = out.file.read(run[0].out.offset, length)
    due = run[0].segment.track.read(run[0].source.offset, length)
    if found == due:
        return
    position = 0
    for pair in run:
        left, right = found[position : position + pair.out.size], due[position : position + pair.out.size]
        if left != right:
            byte = next(i for i in range(pair.out.size) if left[i] != right[i])
            faults.add(
                "payload.bytes",
                f"AU {pair.out.number} differs from AU {pair.source.number} of "
                f"{pair.segment.path} at byte {byte} (file offsets "
                f"{pair.out.offset + byte} and {pair.source.offset + byte})",
            )
        position += pair.out.size
