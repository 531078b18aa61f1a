"""Builds the small files that test_judge.py needs: syncframes, elementary streams, MP4 files, fragments.

Written from the specifications on its own: it uses nothing of the judge.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

SAMPLE_RATES = (48000, 44100, 32000)


# --- Bitstream ----------------------------------------------------------------------------------------------


def crc_step(register: int, byte: int) -> int:
    """One byte through the CRC register of A/52 7.10.1, bit by bit."""
    register ^= byte << 8
    for _ in range(8):
        register = (register << 1) ^ (0x18005 if register & 0x8000 else 0)
    return register


_CRC_TABLE = [crc_step(0, byte) for byte in range(256)]


def crc(data: bytes) -> int:
    register = 0
    for byte in data:
        register = (register << 8 & 0xFFFF) ^ _CRC_TABLE[register >> 8 ^ byte]
    return register


def _filled(bits: str, size: int, seed: int) -> bytearray:
    """The header's bits and noise up to `size` bytes."""
    bits += "0" * (-len(bits) % 8)
    header = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return bytearray(header + random.Random(seed).randbytes(size - len(header)))


def _bits(*fields: tuple[int, int]) -> str:
    return "".join(f"{value:0{width}b}" for value, width in fields)


@dataclass(frozen=True)
class Eac3:
    """Fields of an E-AC-3 syncframe. `joc` is the complexity, or None."""

    size: int = 256
    strmtyp: int = 0
    substreamid: int = 0
    fscod: int = 0
    numblkscod: int = 3
    acmod: int = 7
    lfeon: int = 1
    bsid: int = 16
    chanmap: int | None = None
    joc: int | None = None
    all_metadata: bool = False

    def frame(self, seed: int = 0) -> bytes:
        bits = _bits((0x0B77, 16), (self.strmtyp, 2), (self.substreamid, 3), (self.size // 2 - 1, 11))
        bits += _bits((self.fscod, 2), (self.numblkscod, 2), (self.acmod, 3), (self.lfeon, 1), (self.bsid, 5))
        bits += _bits((27, 5), (0, 1))
        if self.acmod == 0:
            bits += _bits((27, 5), (0, 1))
        if self.strmtyp == 1:
            bits += "0" if self.chanmap is None else _bits((1, 1), (self.chanmap, 16))
        bits += self._metadata() if self.all_metadata else "00"
        if self.strmtyp == 0 and self.fscod != 3 and self.numblkscod != 3:
            bits += "1"
        bits += "0" if self.joc is None else _bits((1, 1), (1, 6), (1, 8), (self.joc, 8))
        data = _filled(bits, self.size, seed)
        data[-2:] = crc(bytes(data[2:-2])).to_bytes(2, "big")
        return bytes(data)

    def _metadata(self) -> str:
        """mixmdate and infomdate of an independent 3/2+LFE substream of six blocks, everything present."""
        assert (self.strmtyp, self.numblkscod, self.acmod, self.lfeon) == (0, 3, 7, 1)
        mixing = "1" + "01" + "100100" + "100100" + "1" + "10101" + "1" + "110011" + "1" + "110011"
        mixing += "11" + "00010" + "10110111" * 4 + "1" + "110101" * 6
        return mixing + "1" + "000" + "11" + "01" + "1" + "10101011" + "1"


def ac3_frame(seed: int = 0, frmsizecod: int = 8, fscod: int = 0, bsid: int = 8) -> bytes:
    """A 3/2+LFE AC-3 syncframe with both checksums."""
    kbps = (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384)[frmsizecod >> 1]
    words = (kbps * 2, kbps * 1536000 // 705600 + (frmsizecod & 1), kbps * 3)[fscod]
    bits = _bits(
        (0x0B77, 16), (0, 16), (fscod, 2), (frmsizecod, 6), (bsid, 5), (0, 3), (7, 3), (0, 4), (1, 1)
    )
    data = _filled(bits, 2 * words, seed)
    # crc1 stands in front of what it covers: run the register backwards from zero.
    end = 2 * ((words >> 1) + (words >> 3))
    register = 0
    for byte in bytes(reversed(data[4:end])) + b"\0\0":
        for bit in range(8):
            carry = register & 1
            register = (register ^ 0x8005 if carry else register) >> 1
            register |= (carry ^ (byte >> bit & 1)) << 15
    data[2:4] = register.to_bytes(2, "big")
    data[-2:] = crc(bytes(data[2:-2])).to_bytes(2, "big")
    return bytes(data)


def units(count: int, *substreams: Eac3, first: int = 0, sizes: Sequence[int] = ()) -> list[bytes]:
    """Access units of six blocks of these substreams. `sizes` gives the first substream's size, repeated."""
    result = []
    repeats = (6, 3, 2, 1)[3 if substreams[0].fscod == 3 else substreams[0].numblkscod]
    for number in range(first, first + count):
        frames = []
        for part in range(repeats):
            for index, substream in enumerate(substreams):
                if sizes and not index:
                    substream = replace(substream, size=sizes[number % len(sizes)])
                frames.append(substream.frame(number * 64 + part * 8 + index))
        result.append(b"".join(frames))
    return result


def swapped(data: bytes) -> bytes:
    return b"".join(data[i : i + 2][::-1] for i in range(0, len(data), 2))


SURROUND = Eac3()
SEVEN_ONE = (Eac3(), Eac3(size=128, strmtyp=1, acmod=6, lfeon=0, chanmap=0x1A00))
DEC3_RATE_256 = "020020" "0f00"  # data_rate 64 kb/s: 256 bytes at 48 kHz
DEC3_RATE_SEVEN_ONE = "030020" "0f0202"  # 96 kb/s: 384 bytes; one dependent, Lrs/Rrs


# --- Boxes --------------------------------------------------------------------------------------------------


def box(kind: str, *content: bytes) -> bytes:
    body = b"".join(content)
    return struct.pack(">I", 8 + len(body)) + kind.encode() + body


def full_box(kind: str, *content: bytes, version: int = 0, flags: int = 0) -> bytes:
    return box(kind, struct.pack(">I", version << 24 | flags), *content)


def u16(*values: int) -> bytes:
    return struct.pack(f">{len(values)}H", *values)


def u32(*values: int) -> bytes:
    return struct.pack(f">{len(values)}I", *values)


def u64(*values: int) -> bytes:
    return struct.pack(f">{len(values)}Q", *values)


@dataclass
class Group:
    """Access units that share an mdat; a free box puts them at this phase (modulo 4096), if there is one."""

    units: list[bytes]
    phase: int | None = None


@dataclass
class Movie:
    """A progressive file; by default laid out as DESIGN.md, section 5.5, says."""

    groups: list[Group]
    config: str = DEC3_RATE_256
    format: str = "ec-3"
    sample_rate: int = 48000
    timescale: int | None = None
    edits: list[tuple[int, int]] = field(default_factory=list)  # duration, media time
    units_per_chunk: int = 8
    stsz_table: bool | None = None  # None: only when sizes differ
    stz2_bits: int = 0
    co64: bool = False
    large_mdat: bool = False
    mdat_to_end: bool = False
    moov_last: bool = False
    brand: bytes = b"mp42"
    entry_version: int = 0
    wave: bool = False
    gap: int = 0  # bytes between chunks
    extra_entry_children: bytes = b""

    @property
    def units(self) -> list[bytes]:
        return [unit for group in self.groups for unit in group.units]

    def build(self) -> bytes:
        head = box("ftyp", self.brand + u32(0) + b"mp42isomiso2dby1")
        moov = self._moov([0] * len(self._chunks()))
        offsets, body = self._layout(len(head) + (0 if self.moov_last else len(moov)))
        moov = self._moov(offsets)
        return head + body + moov if self.moov_last else head + moov + body

    def _chunks(self) -> list[list[bytes]]:
        step = self.units_per_chunk
        return [g.units[i : i + step] for g in self.groups for i in range(0, len(g.units), step)]

    def _layout(self, position: int) -> tuple[list[int], bytes]:
        offsets: list[int] = []
        body = b""
        header = 16 if self.large_mdat else 8
        for number, group in enumerate(self.groups):
            start = position + len(body) + header
            if group.phase is not None and start % 4096 != group.phase:
                pad = (group.phase - start) % 4096
                pad += 4096 if pad < 8 else 0
                body += box("free", bytes(pad - 8))
                start += pad
            content = b""
            for i in range(0, len(group.units), self.units_per_chunk):
                offsets.append(start + len(content))
                content += b"".join(group.units[i : i + self.units_per_chunk]) + bytes(self.gap)
            size = u32(len(content) + 8)
            if self.mdat_to_end and number == len(self.groups) - 1:
                size = u32(0)
            body += u32(1) + b"mdat" + u64(len(content) + 16) if self.large_mdat else size + b"mdat"
            body += content
        return offsets, body

    def _moov(self, offsets: list[int]) -> bytes:
        media = 1536 * len(self.units) * (self.timescale or self.sample_rate) // self.sample_rate
        presented = sum(duration for duration, _ in self.edits) if self.edits else media
        timescale = self.timescale or self.sample_rate
        elst = b"".join(struct.pack(">IiI", duration, time, 0x10000) for duration, time in self.edits)
        edts = box("edts", full_box("elst", u32(len(self.edits)), elst)) if self.edits else b""
        return box(
            "moov",
            full_box("mvhd", u32(0, 0, timescale, presented, 0x10000), bytes(72), u32(2)),
            box(
                "trak",
                full_box("tkhd", u32(0, 0, 1, 0, presented), bytes(60), flags=3),
                edts,
                box(
                    "mdia",
                    full_box("mdhd", u32(0, 0, timescale, media), u16(0x55C4, 0)),
                    full_box("hdlr", bytes(4), b"soun", bytes(13)),
                    box(
                        "minf",
                        full_box("smhd", bytes(4)),
                        box("dinf", full_box("dref", u32(1), full_box("url ", flags=1))),
                        self._stbl(offsets, media),
                    ),
                ),
            ),
        )

    def _stbl(self, offsets: list[int], media: int) -> bytes:
        sizes = [len(unit) for unit in self.units]
        per_chunk = [len(chunk) for chunk in self._chunks()]
        changes = [i for i, n in enumerate(per_chunk) if not i or n != per_chunk[i - 1]]
        stsc = b"".join(u32(i + 1, per_chunk[i], 1) for i in changes)
        table = len(set(sizes)) > 1 if self.stsz_table is None else self.stsz_table
        if self.stz2_bits:
            layout = ">" + "BH"[self.stz2_bits // 16] * len(sizes)
            stsz = full_box("stz2", u32(self.stz2_bits, len(sizes)), struct.pack(layout, *sizes))
        elif table:
            stsz = full_box("stsz", u32(0, len(sizes)), u32(*sizes))
        else:
            stsz = full_box("stsz", u32(sizes[0], len(sizes)))
        chunk_offsets = u64(*offsets) if self.co64 else u32(*offsets)
        return box(
            "stbl",
            full_box("stsd", u32(1), self._entry()),
            full_box("stts", u32(1, len(sizes), media // len(sizes))),
            full_box("stsc", u32(len(changes)), stsc),
            stsz,
            full_box("co64" if self.co64 else "stco", u32(len(offsets)), chunk_offsets),
        )

    def _entry(self) -> bytes:
        config = box("dac3" if self.format == "ac-3" else "dec3", bytes.fromhex(self.config))
        if self.wave:
            config = box("wave", box("frma", self.format.encode()), config, u32(8, 0))
        extra = {0: b"", 1: u32(0, 0, 0, 2), 2: u32(72) + struct.pack(">d", 48000.0) + bytes(24)}
        return box(
            self.format,
            bytes(6),
            u16(1, self.entry_version, 0, 0, 0, 2, 16, 0, 0),
            u32(self.sample_rate << 16),
            extra[self.entry_version],
            config,
            self.extra_entry_children,
        )


def movie(all_units: list[bytes], **options: object) -> bytes:
    """A right output with one mdat, apart from what `options` (fields of Movie) change."""
    return Movie([Group(all_units)], **options).build()  # type: ignore[arg-type]


# --- Fragments ----------------------------------------------------------------------------------------------


def fragmented(fragments: Iterable[bytes], trex_size: int = 0) -> bytes:
    """An init segment with a track 1 and an empty sample table, and these fragments."""
    template = Movie([Group([b"x"])])
    moov = template._moov([0])
    stbl = moov.index(b"stts") - 4
    empty = full_box("stts", u32(0)) + full_box("stsc", u32(0))
    empty += full_box("stsz", u32(0, 0)) + full_box("stco", u32(0))
    mvex = box("mvex", full_box("trex", u32(1, 1, 1536, trex_size, 0)))
    data = bytearray(moov[:stbl] + empty + mvex)
    shrunk = len(empty) - (len(moov) - stbl)
    for kind in (b"trak", b"mdia", b"minf", b"stbl"):
        _grow(data, kind, shrunk)
    _grow(data, b"moov", shrunk + len(mvex))
    return box("ftyp", b"iso5" + u32(0) + b"iso5") + bytes(data) + b"".join(fragments)


def _grow(data: bytearray, kind: bytes, by: int) -> None:
    at = data.index(kind) - 4
    data[at : at + 4] = u32(int.from_bytes(data[at : at + 4], "big") + by)
