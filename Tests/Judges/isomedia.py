"""Where the MP4 samples of MP4 and MOV files lie, progressive and fragmented (ISO/IEC 14496-12, QTFF)."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bitstream import SWAPPED_SYNC_WORD
from common import FileBytes, Malformed, swap_words

AUDIO_ENTRY_BYTES = 36
_TOP_LEVEL_TYPES = frozenset(
    (
        b"ftyp",
        b"styp",
        b"moov",
        b"moof",
        b"mdat",
        b"free",
        b"skip",
        b"wide",
        b"sidx",
        b"uuid",
        b"pnot",
        b"meta",
        b"emsg",
        b"prft",
        b"mfra",
        b"pdin",
        b"ssix",
    )
)


class Unit(NamedTuple):
    """One access unit (MP4 sample): its number in the track, and where its bytes lie in the file."""

    number: int
    offset: int
    size: int


class Box(NamedTuple):
    """A box: [start, end), content from `payload`. `size_field` is the raw 32-bit size (0, 1 or the size)."""

    type: bytes
    start: int
    payload: int
    end: int
    size_field: int

    @property
    def name(self) -> str:
        return self.type.decode("latin-1")


def is_iso_media(file: FileBytes) -> bool:
    return file.peek(4, 4) in _TOP_LEVEL_TYPES


def read_box(file: FileBytes, start: int, end: int) -> Box:
    """The box at `start`, which must lie in [start, end)."""
    if end - start < 8:
        raise Malformed("box.size", f"{end - start} stray bytes at offset {start}")
    size, kind = file.u32(start), file.read(start + 4, 4)
    header = 8
    length = size
    if size == 1:
        if end - start < 16:
            raise Malformed("box.size", f"64-bit size of box at offset {start} is cut off")
        header, length = 16, file.u64(start + 8)
    elif size == 0:
        length = end - start
    payload = start + header + (16 if kind == b"uuid" else 0)
    if length < payload - start or start + length > end:
        raise Malformed(
            "box.size",
            f"box {kind!r} at offset {start}: size {length} does not fit "
            f"between its header and offset {end}",
        )
    return Box(kind, start, payload, start + length, size)


def boxes(file: FileBytes, start: int, end: int) -> Iterator[Box]:
    """The boxes that fill [start, end) exactly; Malformed where they do not."""
    while start < end:
        box = read_box(file, start, end)
        yield box
        start = box.end


def _boxes_lenient(file: FileBytes, start: int, end: int) -> Iterator[Box]:
    """Like `boxes`, but a last box that is cut off ends with its container, and stray bytes are ignored."""
    while end - start >= 8:
        try:
            box = read_box(file, start, end)
        except Malformed:
            size = file.u32(start)
            if size == 1 and end - start < 16 or 1 < size < 8:
                return
            yield Box(file.read(start + 4, 4), start, start + (16 if size == 1 else 8), end, size)
            return
        yield box
        start = box.end


def _child(file: FileBytes, parent: Box, kind: bytes) -> Box | None:
    return next((box for box in _boxes_lenient(file, parent.payload, parent.end) if box.type == kind), None)


def _need(file: FileBytes, parent: Box, kind: bytes) -> Box:
    box = _child(file, parent, kind)
    if box is None:
        raise Malformed("box.missing", f"no {kind.decode()} in {parent.name} at offset {parent.start}")
    return box


def table_count(file: FileBytes, box: Box, header: int, bits: int) -> int:
    """The 32-bit entry count in front of a table that starts `header` bytes into the payload; it must fit."""
    count = file.u32(box.payload + header - 4)
    if (count * bits + 7) // 8 > box.end - box.payload - header:
        raise Malformed("table.size", f"{count} entries do not fit into {box.name} at offset {box.start}")
    return count


@dataclass(slots=True)
class SampleEntry:
    """An AudioSampleEntry (or QuickTime sound description), with the payload of its dec3, dac3 or dac4."""

    box: Box
    format: str
    original_format: str | None = None  # frma of an encrypted entry
    version: int = 0
    data_reference_index: int = 0
    channelcount: int = 0
    sample_rate: int = 0
    children: list[str] = field(default_factory=list)  # direct ones
    config_type: str | None = None
    config: bytes = b""

    @property
    def is_dolby(self) -> bool:
        return self.format in ("ac-3", "ec-3")


class Edit(NamedTuple):
    segment_duration: int
    media_time: int
    rate: int


@dataclass(slots=True)
class Chunks:
    """The sample table of a progressive track. Nothing is expanded: entries are read when asked for."""

    file: FileBytes
    count: int
    constant_size: int  # 0: see the table
    size_table: int
    size_bits: int
    stsc: list[tuple[int, int, int]]  # first chunk (0-based), MP4 samples a chunk, sample description index
    chunk_count: int
    offset_table: int
    offsets_are_64_bit: bool
    first_samples: list[int] = field(init=False, default_factory=list)  # of each stsc entry
    described: int = field(init=False, default=0)  # MP4 samples that stsc and the chunk offsets speak of

    def __post_init__(self) -> None:
        total = 0
        for number, (first, per_chunk, _) in enumerate(self.stsc):
            self.first_samples.append(total)
            end = self.stsc[number + 1][0] if number + 1 < len(self.stsc) else self.chunk_count
            total += (end - first) * per_chunk
        self.described = total

    def size(self, index: int) -> int:
        if self.constant_size:
            return self.constant_size
        if self.size_bits == 32:
            return self.file.u32(self.size_table + 4 * index)
        if self.size_bits == 16:
            return self.file.u16(self.size_table + 2 * index)
        if self.size_bits == 8:
            return self.file.u8(self.size_table + index)
        both = self.file.u8(self.size_table + index // 2)
        return both & 15 if index & 1 else both >> 4

    def chunk_offset(self, chunk: int) -> int:
        if self.offsets_are_64_bit:
            return self.file.u64(self.offset_table + 8 * chunk)
        return self.file.u32(self.offset_table + 4 * chunk)

    def chunks(self) -> Iterator[tuple[int, int, int, int]]:
        """Every chunk as (offset, first MP4 sample, MP4 samples in it, sample description index)."""
        for number, (first, per_chunk, description) in enumerate(self.stsc):
            end = self.stsc[number + 1][0] if number + 1 < len(self.stsc) else self.chunk_count
            sample = self.first_samples[number]
            for chunk in range(first, end):
                yield self.chunk_offset(chunk), sample, per_chunk, description
                sample += per_chunk

    def units(self, start: int, end: int) -> Iterator[Unit]:
        index = start
        while index < end:
            if index >= self.described:
                raise Malformed(
                    "stsc.samples",
                    f"stsc and the chunk offsets describe {self.described} MP4 samples, "
                    f"there are {self.count}",
                )
            number = bisect_right(self.first_samples, index) - 1
            first_chunk, per_chunk, _ = self.stsc[number]
            chunk, inside = divmod(index - self.first_samples[number], per_chunk)
            offset = self.chunk_offset(first_chunk + chunk)
            if self.constant_size:
                offset += inside * self.constant_size
            else:
                offset += sum(self.size(i) for i in range(index - inside, index))
            chunk_end = min(end, index - inside + per_chunk, self.described)
            for sample in range(index, chunk_end):
                size = self.size(sample)
                yield Unit(sample, offset, size)
                offset += size
            index = chunk_end


class FragmentRun(NamedTuple):
    """One trun: MP4 samples that lie one behind the other from `offset`."""

    first: int
    samples: int
    offset: int
    size: int | None  # None: per sample, from size_table with this stride
    size_table: int
    stride: int


@dataclass(slots=True)
class Track:
    """A track of an ISO file: its headers and where its MP4 samples lie."""

    file: FileBytes
    id: int
    enabled: bool
    handler: str
    timescale: int
    media_duration: int
    entries: list[SampleEntry]
    edits: list[Edit] | None
    durations: list[list[int]]  # runs of [count, delta], from stts and from fragments
    chunks: Chunks
    runs: list[FragmentRun] = field(default_factory=list)
    swapped: bool = False

    @property
    def count(self) -> int:
        return self.runs[-1].first + self.runs[-1].samples if self.runs else self.chunks.count

    @property
    def is_dolby(self) -> bool:
        return any(entry.is_dolby for entry in self.entries)

    def units(self, start: int = 0, end: int | None = None) -> Iterator[Unit]:
        """The access units start..<end; to the last one without `end`. Malformed when they are not there."""
        stop = self.count if end is None else min(end, self.count)
        for unit in self._located(start, stop):
            if unit.offset + unit.size > self.file.size:
                raise Malformed(
                    "au.end",
                    f"AU {unit.number} at offset {unit.offset}, size {unit.size}, "
                    f"passes the end of the file ({self.file.size})",
                )
            yield unit

    def _located(self, start: int, stop: int) -> Iterator[Unit]:
        if start < self.chunks.count:
            yield from self.chunks.units(start, min(stop, self.chunks.count))
        firsts = [run.first for run in self.runs]
        for number in range(max(0, bisect_right(firsts, start) - 1), len(self.runs)):
            run = self.runs[number]
            if run.first >= stop:
                return
            offset = run.offset
            for inside in range(min(run.samples, stop - run.first)):
                size = self.file.u32(run.size_table + inside * run.stride) if run.size is None else run.size
                if run.first + inside >= start:
                    yield Unit(run.first + inside, offset, size)
                offset += size

    def read(self, offset: int, size: int) -> bytes:
        """Bytes as a big-endian bitstream."""
        data = self.file.read(offset, size)
        return swap_words(data) if self.swapped else data


@dataclass(slots=True)
class Movie:
    timescale: int
    duration: int
    fragmented: bool
    tracks: list[Track]


def read_movie(file: FileBytes) -> Movie:
    """All tracks of a file. Tolerant where a player would be; Malformed when MP4 samples cannot be found."""
    top = list(_boxes_lenient(file, 0, file.size))
    moov = next((box for box in top if box.type == b"moov"), None)
    if moov is None:
        raise Malformed("box.missing", f"no moov in {file.path}")
    mvhd = _need(file, moov, b"mvhd")
    timescale, duration = read_timescale_and_duration(file, mvhd)
    tracks = [
        _read_track(file, box) for box in _boxes_lenient(file, moov.payload, moov.end) if box.type == b"trak"
    ]
    mvex = _child(file, moov, b"mvex")
    moofs = [box for box in top if box.type == b"moof"]
    _read_fragments(file, moofs, tracks, _read_trex(file, mvex))
    for track in tracks:
        if track.is_dolby:
            track.swapped = _starts_swapped(track)
    return Movie(timescale, duration, bool(moofs) or mvex is not None, tracks)


def _starts_swapped(track: Track) -> bool:
    try:
        first = next(track.units(0, 1), None)
    except Malformed:
        return False
    return first is not None and track.file.peek(first.offset, 2) == SWAPPED_SYNC_WORD


def read_timescale_and_duration(file: FileBytes, box: Box) -> tuple[int, int]:
    """Of mvhd or mdhd, version 0 or 1."""
    if file.u8(box.payload):
        timescale, duration = file.unpack("IQ", box.payload + 20)
    else:
        timescale, duration = file.unpack("II", box.payload + 12)
    return timescale, duration


def read_edits(file: FileBytes, elst: Box) -> list[Edit]:
    version = file.u8(elst.payload)
    layout = "QqI" if version else "IiI"
    stride = struct.calcsize(">" + layout)
    count = table_count(file, elst, 8, 8 * stride)
    return [Edit(*file.unpack(layout, elst.payload + 8 + stride * i)) for i in range(count)]


def _read_track(file: FileBytes, trak: Box) -> Track:
    tkhd = _need(file, trak, b"tkhd")
    mdia = _need(file, trak, b"mdia")
    stbl = _need(file, _need(file, mdia, b"minf"), b"stbl")
    flags = file.u32(tkhd.payload) & 0xFFFFFF
    timescale, duration = read_timescale_and_duration(file, _need(file, mdia, b"mdhd"))
    handler = file.read(_need(file, mdia, b"hdlr").payload + 8, 4).decode("latin-1")
    edts = _child(file, trak, b"edts")
    elst = _child(file, edts, b"elst") if edts else None
    return Track(
        file=file,
        id=file.u32(tkhd.payload + (20 if file.u8(tkhd.payload) else 12)),
        enabled=bool(flags & 1),
        handler=handler,
        timescale=timescale,
        media_duration=duration,
        entries=read_sample_entries(file, _need(file, stbl, b"stsd"), handler),
        edits=read_edits(file, elst) if elst else None,
        durations=read_stts(file, _need(file, stbl, b"stts")),
        chunks=read_chunks(file, stbl),
    )


def read_stts(file: FileBytes, stts: Box) -> list[list[int]]:
    count = table_count(file, stts, 8, 64)
    runs: list[list[int]] = []
    for i in range(count):
        _append_duration(runs, *file.unpack("II", stts.payload + 8 + 8 * i))
    return runs


def _append_duration(runs: list[list[int]], count: int, delta: int) -> None:
    if runs and runs[-1][1] == delta:
        runs[-1][0] += count
    elif count:
        runs.append([count, delta])


def read_chunks(file: FileBytes, stbl: Box) -> Chunks:
    """stsz or stz2, stsc, stco or co64 of a sample table."""
    sizes = _child(file, stbl, b"stsz") or _need(file, stbl, b"stz2")
    constant, bits = 0, 32
    if sizes.type == b"stsz":
        constant = file.u32(sizes.payload + 4)
        bits = 0 if constant else 32
    else:
        bits = file.u8(sizes.payload + 7)
        if bits not in (4, 8, 16):
            raise Malformed("stz2.field-size", f"{bits}")
    count = table_count(file, sizes, 12, bits)
    stsc = _need(file, stbl, b"stsc")
    entries = [file.unpack("III", stsc.payload + 8 + 12 * i) for i in range(table_count(file, stsc, 8, 96))]
    offsets = _child(file, stbl, b"stco") or _need(file, stbl, b"co64")
    wide = offsets.type == b"co64"
    chunk_count = table_count(file, offsets, 8, 64 if wide else 32)
    previous = -1
    for first, per_chunk, _ in entries:
        if not previous < first - 1 < max(1, chunk_count) or not per_chunk:
            raise Malformed(
                "stsc.entry",
                f"first_chunk {first}, {per_chunk} samples a chunk "
                f"(chunks: {chunk_count}, entry before: {previous + 1})",
            )
        previous = first - 1
    if entries and entries[0][0] != 1:
        raise Malformed("stsc.entry", f"the first entry starts at chunk {entries[0][0]}")
    if entries and not chunk_count:
        entries = []
    return Chunks(
        file,
        count,
        constant,
        sizes.payload + 12,
        bits,
        [(first - 1, per_chunk, description) for first, per_chunk, description in entries],
        chunk_count,
        offsets.payload + 8,
        wide,
    )


# --- Sample entries -----------------------------------------------------------------------------------------


def read_sample_entries(file: FileBytes, stsd: Box, handler: str) -> list[SampleEntry]:
    entries = []
    for box in _boxes_lenient(file, stsd.payload + 8, stsd.end):
        if handler == "soun":
            entries.append(_read_audio_entry(file, box))
        else:
            entries.append(SampleEntry(box, box.name))
    return entries


def _read_audio_entry(file: FileBytes, box: Box) -> SampleEntry:
    if box.end - box.start < AUDIO_ENTRY_BYTES:
        raise Malformed("stsd.entry", f"sample entry {box.name} at offset {box.start} is too short")
    entry = SampleEntry(
        box,
        box.name,
        version=file.u16(box.start + 16),
        data_reference_index=file.u16(box.start + 14),
        channelcount=file.u16(box.start + 24),
        sample_rate=file.u32(box.start + 32) >> 16,
    )
    # An ISO writer may say version 1 without the QuickTime fields: take the layout whose children parse.
    extra = {1: (16, 0), 2: (36, 0)}.get(entry.version, (0,))
    for size in extra:
        children = _parsable_children(file, box.start + AUDIO_ENTRY_BYTES + size, box.end)
        if children is not None:
            entry.children = [box.name for box in children]
            _read_entry_children(file, children, entry)
            break
    return entry


def _parsable_children(file: FileBytes, start: int, end: int) -> list[Box] | None:
    """The boxes of [start, end); up to 7 stray zero bytes behind the last one are a QuickTime habit."""
    found = []
    while end - start >= 8:
        try:
            box = read_box(file, start, end)
        except Malformed:
            return None
        if box.size_field == 0 or not box.type.isascii():
            return None
        found.append(box)
        start = box.end
    return found if start <= end and not any(file.peek(start, end - start)) else None


def _read_entry_children(file: FileBytes, children: list[Box], entry: SampleEntry) -> None:
    """Config boxes count as direct children first, then inside `wave`; `sinf` tells what was encrypted."""
    for kind in (b"dec3", b"dac3", b"dac4"):
        box = next((box for box in children if box.type == kind), None)
        if box is not None and entry.config_type is None:
            entry.config_type = box.name
            entry.config = file.read(box.payload, box.end - box.payload)
    for box in children:
        if box.type == b"wave" and entry.config_type is None:
            _read_entry_children(file, list(_boxes_lenient(file, box.payload, box.end)), entry)
        if box.type == b"sinf":
            frma = _child(file, box, b"frma")
            if frma is not None:
                entry.original_format = file.read(frma.payload, 4).decode("latin-1")


# --- Fragments ----------------------------------------------------------------------------------------------


class _Defaults(NamedTuple):
    duration: int | None = None
    size: int | None = None


def _read_trex(file: FileBytes, mvex: Box | None) -> dict[int, _Defaults]:
    if mvex is None:
        return {}
    found = {}
    for box in _boxes_lenient(file, mvex.payload, mvex.end):
        if box.type == b"trex":
            track_id, _, duration, size, _ = file.unpack("5I", box.payload + 4)
            found[track_id] = _Defaults(duration, size)
    return found


def _read_fragments(
    file: FileBytes, moofs: list[Box], tracks: list[Track], trex: dict[int, _Defaults]
) -> None:
    by_id = {track.id: track for track in tracks}
    for moof in moofs:
        implied_base = moof.start  # of a traf without a base of its own: where the traf before it ended
        for traf in _boxes_lenient(file, moof.payload, moof.end):
            if traf.type == b"traf":
                implied_base = _read_traf(file, moof, traf, implied_base, by_id, trex)


def _read_traf(
    file: FileBytes,
    moof: Box,
    traf: Box,
    implied_base: int,
    by_id: dict[int, Track],
    trex: dict[int, _Defaults],
) -> int:
    """Append the runs of one traf to its track; returns where its data end."""
    tfhd = _need(file, traf, b"tfhd")
    flags, track_id = file.unpack("II", tfhd.payload)
    position = tfhd.payload + 8
    defaults = trex.get(track_id, _Defaults())
    base = moof.start if flags & 0x020000 else implied_base
    if flags & 0x000001:
        base, position = file.u64(position), position + 8
    if flags & 0x000002:
        position += 4
    if flags & 0x000008:
        defaults, position = defaults._replace(duration=file.u32(position)), position + 4
    if flags & 0x000010:
        defaults = defaults._replace(size=file.u32(position))
    track = by_id.get(track_id)
    end = base
    for trun in _boxes_lenient(file, traf.payload, traf.end):
        if trun.type == b"trun":
            end = _read_trun(file, trun, base, end, defaults, track)
    return end


def _read_trun(
    file: FileBytes, trun: Box, base: int, offset: int, defaults: _Defaults, track: Track | None
) -> int:
    """Append one run; `offset` is where the run before it ended. Returns where this one ends."""
    flags, count = file.unpack("II", trun.payload)
    position = trun.payload + 8
    if flags & 0x000001:
        offset, position = base + file.unpack("i", position)[0], position + 4
    if flags & 0x000004:
        position += 4
    stride = 4 * bin(flags & 0x000F00).count("1")
    if position + count * stride > trun.end:
        raise Malformed("trun.size", f"{count} entries do not fit into the trun at offset {trun.start}")
    size_table = position + (4 if flags & 0x000100 else 0)
    size = None if flags & 0x000200 else defaults.size
    if size is None and not flags & 0x000200:
        raise Malformed("trun.size", f"nothing tells the sizes of the trun at offset {trun.start}")
    if size is not None and count * max(1, size) > file.size:
        raise Malformed(
            "au.end", f"{count} MP4 samples of {size} bytes (trun at {trun.start}) pass the file's end"
        )
    if track is not None and count:
        track.runs.append(FragmentRun(track.count, count, offset, size, size_table, stride))
        if flags & 0x000100:
            for i in range(count):
                _append_duration(track.durations, 1, file.u32(position + i * stride))
        else:
            _append_duration(track.durations, count, defaults.duration or 0)
    if size is not None:
        return offset + count * size
    return offset + sum(file.u32(size_table + i * stride) for i in range(count))
