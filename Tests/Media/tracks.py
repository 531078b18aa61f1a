"""What the audio tracks of an MP4 file hold, progressive or fragmented: the reader behind INDEX.tsv."""

from dataclasses import dataclass

from movie import FIELDS, boxes

CONTAINERS = {"moov", "trak", "edts", "mdia", "minf", "stbl", "mvex", "moof", "traf", "wave"} | set(FIELDS)
CONFIGS = ("dec3", "dac3", "dac4")


@dataclass
class Track:
    entry: str  # type of the first sample entry
    entry_rate: int
    configs: list  # payload of every configuration box, hex
    timescale: int
    movie_timescale: int
    edits: list  # (media_time, segment_duration, rate)
    samples: list  # bytes, those of fragments included
    deltas: list  # of the samples in moov
    fragment_deltas: list


class Box:
    """A box with its children; big-endian fields are read by their offset in the payload."""

    def __init__(self, data, kind, start, inside, end):
        self.data, self.kind, self.start, self.inside = data, kind, start, inside
        head = inside + FIELDS.get(kind, 0)
        if kind == "ec-3" and self.u16(8) == 1:
            head += 16  # QuickTime sound description, version 1
        self.children = [Box(data, *child) for child in boxes(data, head, end)] if kind in CONTAINERS else []
        self.payload = data[inside:end]

    def number(self, offset, width, signed=False):
        at = self.inside + offset
        return int.from_bytes(self.data[at:at + width], "big", signed=signed)

    def u16(self, offset): return self.number(offset, 2)
    def u32(self, offset): return self.number(offset, 4)

    @property
    def wide(self):
        """Width of a time in a box whose version widens times."""
        return 8 if self.payload[0] else 4

    @property
    def flags(self): return self.number(1, 3)

    def rows(self, width, *columns, first=8):
        """Tuples of 32-bit columns, one a row; the row count is in front of the first row."""
        return [tuple(self.u32(at + column) for column in columns)
                for at in range(first, first + width * self.u32(first - 4), width)]

    def all(self, path):
        kind, _, rest = path.partition("/")
        found = [child for child in self.children if child.kind == kind]
        return [below for child in found for below in child.all(rest)] if rest else found

    def one(self, path):
        found = self.all(path)
        return found[0] if found else None


def audio_tracks(data):
    top = [Box(data, *place) for place in boxes(data)]
    moov = next(box for box in top if box.kind == "moov")
    moofs = [box for box in top if box.kind == "moof"]
    return [read(data, trak, moov, moofs) for trak in moov.all("trak")
            if trak.one("mdia/hdlr").payload[8:12] == b"soun"]


def read(data, trak, moov, moofs):
    mvhd, tkhd, mdhd = moov.one("mvhd"), trak.one("tkhd"), trak.one("mdia/mdhd")
    entries = trak.one("mdia/minf/stbl/stsd").children
    stbl = trak.one("mdia/minf/stbl")
    fragments = fragment_samples(tkhd.u32(4 + 2 * tkhd.wide), moov, moofs)
    places = table_samples(stbl) + [(at, size) for at, size, _ in fragments]
    return Track(
        entry=entries[0].kind,
        entry_rate=entries[0].u16(24),
        configs=[config.payload.hex() for entry in entries for kind in CONFIGS
                 for config in entry.all(kind) + entry.all(f"wave/{kind}")],
        timescale=mdhd.u32(4 + 2 * mdhd.wide),
        movie_timescale=mvhd.u32(4 + 2 * mvhd.wide),
        edits=edits(trak.one("edts/elst")),
        samples=[data[at:at + size] for at, size in places],
        deltas=[delta for count, delta in stbl.one("stts").rows(8, 0, 4) for _ in range(count)],
        fragment_deltas=[delta for _, _, delta in fragments])


def edits(elst):
    if not elst:
        return []
    wide = elst.wide
    row = 2 * wide + 4
    return [(elst.number(at + wide, wide, signed=True), elst.number(at, wide),
             elst.u32(at + 2 * wide) / 0x10000)
            for at in range(8, 8 + row * elst.u32(4), row)]


def table_samples(stbl):
    """(offset, size) of each sample that the sample tables place."""
    sizes, found = sample_sizes(stbl), []
    counts = stbl.one("stsc").rows(12, 0, 4)
    for chunk, at in enumerate(chunk_offsets(stbl), 1):
        count = [count for first, count in counts if first <= chunk][-1]
        for size in sizes[len(found):len(found) + count]:
            found.append((at, size))
            at += size
    return found


def sample_sizes(stbl):
    if stsz := stbl.one("stsz"):
        return [stsz.u32(4)] * stsz.u32(8) if stsz.u32(4) else [size for size, in stsz.rows(4, 0, first=12)]
    stz2 = stbl.one("stz2")
    width = stz2.payload[7] // 8
    return [stz2.number(12 + width * row, width) for row in range(stz2.u32(8))]


def chunk_offsets(stbl):
    if stco := stbl.one("stco"):
        return [offset for offset, in stco.rows(4, 0)]
    co64 = stbl.one("co64")
    return [co64.number(8 + 8 * row, 8) for row in range(co64.u32(4))]


def fragment_samples(number, moov, moofs):
    """(offset, size, duration) of each sample that the track's fragments place."""
    found = []
    for moof in moofs:
        for traf in moof.all("traf"):
            tfhd = traf.one("tfhd")
            if tfhd.u32(4) == number:
                trex = next(trex for trex in moov.all("mvex/trex") if trex.u32(4) == number)
                found += run_samples(traf, tfhd, trex, moof.start)
    return found


def run_samples(traf, tfhd, trex, moof_start):
    base, _, duration, size, _ = optional(tfhd, 8, (0x01, 8), (0x02, 4), (0x08, 4), (0x10, 4), (0x20, 4))
    base = moof_start if base is None else base
    duration = trex.u32(12) if duration is None else duration
    size = trex.u32(16) if size is None else size
    found, position = [], base
    for trun in traf.all("trun"):
        offset, first_flags = optional(trun, 8, (0x01, 4), (0x04, 4))
        position = position if offset is None else base + offset
        at = 8 + 4 * (offset is not None) + 4 * (first_flags is not None)
        columns = ((0x100, 4), (0x200, 4), (0x400, 4), (0x800, 4))
        row = 4 * sum(1 for flag, _ in columns if trun.flags & flag)
        for number in range(trun.u32(4)):
            own_duration, own_size, _, _ = optional(trun, at + number * row, *columns)
            length = size if own_size is None else own_size
            found.append((position, length, duration if own_duration is None else own_duration))
            position += length
    return found


def optional(box, at, *layout):
    """The fields that the box's flags say are there, None for the others."""
    values = []
    for flag, width in layout:
        present = box.flags & flag
        values.append(box.number(at, width) if present else None)
        at += width if present else 0
    return values
