"""A small MP4 writer whose every table can be bent, and a box reader to go with it (ISO/IEC 14496-12)."""

from dataclasses import dataclass, field
from itertools import groupby
from typing import Callable


# Boxes

def u8(*values): return bytes(values)
def u16(*values): return b"".join(value.to_bytes(2, "big") for value in values)
def u24(*values): return b"".join(value.to_bytes(3, "big") for value in values)
def u32(*values): return b"".join((value & 0xFFFFFFFF).to_bytes(4, "big") for value in values)
def u64(*values): return b"".join((value & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "big") for value in values)


def box(kind, *parts):
    payload = b"".join(parts)
    return u32(8 + len(payload)) + kind.encode("latin1") + payload


def full(kind, version, flags, *parts):
    return box(kind, u8(version), u24(flags), *parts)


def boxes(data, at=0, end=None):
    """(type, start of the box, start of its payload, end) of each box in data[at:end]."""
    end = len(data) if end is None else end
    while at + 8 <= end:
        size, header = int.from_bytes(data[at:at + 4], "big"), 8
        if size == 1:
            size, header = int.from_bytes(data[at + 8:at + 16], "big"), 16
        stop = at + size if size else end
        assert at + header <= stop <= end, f"box of {size} bytes at {at}"
        yield data[at + 4:at + 8].decode("latin1"), at, at + header, stop
        at = stop


# Bytes between a container's header and its boxes
FIELDS = {"stsd": 8, "ac-3": 28, "ec-3": 28, "ac-4": 28, "enca": 28}


def replaced(data, path, payload):
    """`data` with the payload of every box at `path` replaced. Chunk offsets stay: moov has to come last."""
    out = b""
    for kind, start, inside, end in boxes(data):
        if kind != path[0]:
            out += data[start:end]
        elif len(path) == 1:
            out += box(kind, payload)
        else:
            head = inside + FIELDS.get(kind, 0)
            out += box(kind, data[inside:head], replaced(data[head:end], path[1:], payload))
    return out


# Movies

@dataclass
class Track:
    units: list
    entries: list  # sample entries, whole boxes
    id: int = 1
    flags: int = 7  # enabled, in movie, in preview
    timescale: int = 48000
    deltas: list = None  # one a unit; None: 1536 each
    edits: list = ()  # (segment_duration, media_time, media_rate)
    per_chunk: int = 8
    entry_of_chunk: Callable = lambda chunk: 1
    sizes: str = "constant"  # or "table", "stz2/16", "stz2/8"
    wide_offsets: bool = False  # co64
    version: int = 0  # of tkhd, mdhd, elst
    created: int = 0
    language: str = "und"
    handler_name: str = "SoundHandler"
    after_mdia: bytes = b""

    def __post_init__(self):
        self.deltas = self.deltas or [1536] * len(self.units)

    @property
    def chunks(self):
        return [self.units[n:n + self.per_chunk] for n in range(0, len(self.units), self.per_chunk)]


@dataclass
class Movie:
    tracks: list
    brand: str = "mp42"
    compatible: str = "mp42isomiso2dby1"
    timescale: int = 48000
    version: int = 0
    created: int = 0
    moov_last: bool = False
    mdats: int = 1
    mdat_size: str = "32"  # or "64", "to the end"
    gap: Callable = lambda chunk: 0  # bytes that belong to nobody, in front of a chunk
    stray: bool = False  # unknown boxes first and last in every container
    in_moov: bytes = b""
    offsets: dict = field(default_factory=dict)

    def bytes(self):
        ftyp = box("ftyp", self.brand.encode(), u32(0), self.compatible.encode())
        self.offsets = {track.id: [0] * len(track.chunks) for track in self.tracks}
        between = UNKNOWN if self.stray else b""
        if self.moov_last:
            return ftyp + between + self.media(len(ftyp + between)) + between + self.moov()
        media = self.media(len(ftyp) + len(between) + len(self.moov()))
        return ftyp + between + self.moov() + media + between

    def media(self, at):
        """The mdat boxes as they stand at file offset `at`; notes where each chunk went."""
        order = sorted((number, track.id, chunk) for track in self.tracks
                       for number, chunk in enumerate(track.chunks))
        out, share = b"", -(-len(order) // self.mdats)
        for start in range(0, len(order), share):
            header = 16 if self.mdat_size == "64" else 8
            body = b""
            for position, (number, track, chunk) in enumerate(order[start:start + share], start):
                body += b"\xAA" * self.gap(position)
                self.offsets[track][number] = at + len(out) + header + len(body)
                body += b"".join(chunk)
            out += self.mdat(body)
        return out

    def mdat(self, body):
        if self.mdat_size == "64":
            return u32(1) + b"mdat" + u64(16 + len(body)) + body
        return u32(0 if self.mdat_size == "to the end" else 8 + len(body)) + b"mdat" + body

    def moov(self):
        durations = [self.presented(track) for track in self.tracks]
        mvhd = full("mvhd", self.version, 0, times(self.version, self.created), u32(self.timescale),
                    ticks(self.version, max(durations)), u32(0x10000), u16(0x100), bytes(10), MATRIX,
                    bytes(24), u32(max(track.id for track in self.tracks) + 1))
        return self.nest("moov", mvhd, *map(self.trak, self.tracks), self.in_moov)

    def presented(self, track):
        if track.edits:
            return sum(duration for duration, _, _ in track.edits)
        return sum(track.deltas) * self.timescale // track.timescale

    def trak(self, track):
        version = track.version
        tkhd = full("tkhd", version, track.flags, times(version, track.created), u32(track.id, 0),
                    ticks(version, self.presented(track)), bytes(8), u16(0, 1, 0x100, 0), MATRIX, bytes(8))
        mdhd = full("mdhd", version, 0, times(version, track.created), u32(track.timescale),
                    ticks(version, sum(track.deltas)), u16(packed(track.language), 0))
        hdlr = full("hdlr", 0, 0, u32(0), b"soun", bytes(12), track.handler_name.encode(), b"\0")
        dinf = self.nest("dinf", full("dref", 0, 0, u32(1), full("url ", 0, 1)))
        stbl = self.nest("stbl", stsd(track), stts(track), stsc(track), stsz(track),
                         chunk_offsets(track, self.offsets[track.id]))
        minf = self.nest("minf", full("smhd", 0, 0, u32(0)), dinf, stbl)
        edts = self.nest("edts", elst(track)) if track.edits else b""
        return self.nest("trak", tkhd, edts, self.nest("mdia", mdhd, hdlr, minf), track.after_mdia)

    def nest(self, kind, *parts):
        """A container box; strange neighbours move in with its children if this movie is to have them."""
        if not self.stray:
            return box(kind, *parts)
        return box(kind, box("free", bytes(3)), *parts, UNKNOWN, box("uuid", bytes(range(16)), b"user"))


UNKNOWN = box("kfta", b"nobody knows this")
MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)


def ticks(version, *values):
    return u64(*values) if version else u32(*values)


def times(version, created):
    return ticks(version, created, created)


def packed(language):
    return sum((ord(letter) - 0x60) << shift for letter, shift in zip(language, (10, 5, 0)))


# Tables

def runs(values):
    return [(len(list(same)), value) for value, same in groupby(values)]


def table(kind, rows, version=0):
    return full(kind, version, 0, u32(len(rows)), *rows)


def stsd(track):
    return table("stsd", track.entries)


def stts(track):
    return table("stts", [u32(*run) for run in runs(track.deltas)])


def stsc(track):
    shapes = [(len(chunk), track.entry_of_chunk(number)) for number, chunk in enumerate(track.chunks)]
    return table("stsc", [u32(number + 1, *shape) for number, shape in enumerate(shapes)
                          if number == 0 or shape != shapes[number - 1]])


def stsz(track):
    sizes = [len(unit) for unit in track.units]
    if track.sizes == "constant":
        assert len(set(sizes)) == 1
        return full("stsz", 0, 0, u32(sizes[0], len(sizes)))
    if track.sizes == "table":
        return full("stsz", 0, 0, u32(0, len(sizes), *sizes))
    width = int(track.sizes.removeprefix("stz2/"))
    return full("stz2", 0, 0, u24(0), u8(width), u32(len(sizes)), (u8 if width == 8 else u16)(*sizes))


def chunk_offsets(track, offsets):
    return table("co64", [u64(at) for at in offsets]) if track.wide_offsets else \
        table("stco", [u32(at) for at in offsets])


def elst(track):
    return table("elst", [ticks(track.version, duration, media_time) + u32(rate * 0x10000)
                          for duration, media_time, rate in track.edits], track.version)
