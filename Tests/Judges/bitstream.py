"""(E-)AC-3 syncframes and access units.

ETSI TS 102 366 (AC-3: clause 4, E-AC-3: Annex E), ETSI TS 103 420 (JOC).
"""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from common import Malformed

SYNC_WORD = b"\x0b\x77"
SWAPPED_SYNC_WORD = b"\x77\x0b"
BLOCKS_PER_UNIT = 6
PCM_PER_UNIT = 1536
PROLOGUE_BYTES = 6
HEADER_WINDOW = 256  # more than the longest bsi: 264 bits of mixdata, 512 of addbsi, some 200 others

_SAMPLE_RATES = (48000, 44100, 32000)
_HALF_RATES = (24000, 22050, 16000)
_BLOCKS = (1, 2, 3, 6)
_AC3_KBPS = (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640)

INDEPENDENT, DEPENDENT, CONVERTED = 0, 1, 2


class Prologue(NamedTuple):
    """What the first six bytes of a syncframe tell."""

    is_eac3: bool
    strmtyp: int
    substreamid: int
    size: int
    fscod: int
    sample_rate: int
    blocks: int
    bsid: int

    @property
    def is_dependent(self) -> bool:
        return self.strmtyp == DEPENDENT

    @property
    def opens_set(self) -> bool:
        """True for I0, the first syncframe of the sequence I0 D0 ... I1 ...; an AC-3 frame plays I0."""
        return self.strmtyp != DEPENDENT and self.substreamid == 0

    @property
    def name(self) -> str:
        return f"{'D' if self.is_dependent else 'I'}{self.substreamid}"


def parse_prologue(data: bytes, offset: int = 0) -> Prologue:
    """Read the fixed fields at `offset` of `data`; Malformed when they are not a legal syncframe start."""
    if len(data) - offset < PROLOGUE_BYTES:
        raise Malformed("syncframe.short", f"{len(data) - offset} bytes are too few for a syncframe header")
    if data[offset : offset + 2] != SYNC_WORD:
        raise Malformed("syncframe.sync", f"{data[offset:offset + 2].hex()} where the sync word 0b77 is due")
    bsid = data[offset + 5] >> 3
    fscod = data[offset + 4] >> 6
    if bsid <= 10:
        return _ac3_prologue(data[offset + 4], fscod, bsid)
    if bsid > 16:
        raise Malformed("syncframe.bsid", f"bsid {bsid} is not AC-3 or E-AC-3")
    strmtyp = data[offset + 2] >> 6
    if strmtyp == 3:
        raise Malformed("syncframe.strmtyp", "strmtyp 3 is reserved")
    size = 2 * (((data[offset + 2] & 7) << 8 | data[offset + 3]) + 1)
    code = (data[offset + 4] >> 4) & 3
    if fscod == 3:
        if code == 3:
            raise Malformed("syncframe.fscod", "fscod2 3 is reserved")
        sample_rate, blocks = _HALF_RATES[code], 6
    else:
        sample_rate, blocks = _SAMPLE_RATES[fscod], _BLOCKS[code]
    return Prologue(True, strmtyp, (data[offset + 2] >> 3) & 7, size, fscod, sample_rate, blocks, bsid)


def _ac3_prologue(byte4: int, fscod: int, bsid: int) -> Prologue:
    frmsizecod = byte4 & 63
    if fscod == 3 or frmsizecod > 37:
        raise Malformed("syncframe.fscod", f"AC-3 fscod {fscod}, frmsizecod {frmsizecod} is reserved")
    kbps = _AC3_KBPS[frmsizecod >> 1]
    words = (2 * kbps, kbps * 1000 * PCM_PER_UNIT // (44100 * 16) + (frmsizecod & 1), 3 * kbps)[fscod]
    rate = _SAMPLE_RATES[fscod] >> max(0, bsid - 8)
    return Prologue(False, INDEPENDENT, 0, 2 * words, fscod, rate, 6, bsid)


@dataclass(frozen=True, slots=True)
class Syncframe:
    """A syncframe's header as far as a container cares. `chanmap` is None when it is not sent."""

    prologue: Prologue
    acmod: int
    lfeon: bool
    bsmod: int
    chanmap: int | None
    bit_rate_code: int | None  # AC-3 only: frmsizecod >> 1
    addbsi: bytes | None

    @property
    def joc_complexity(self) -> int | None:
        """complexity_index_type_a when addbsi flags extension type A with a legal index (TS 103 420, 8.3)."""
        if self.addbsi is None or len(self.addbsi) < 2 or self.addbsi[0] != 1:
            return None
        return self.addbsi[1] if 1 <= self.addbsi[1] <= 16 else None

    @property
    def joc_is_invalid(self) -> bool:
        """The flag is set, but no legal complexity goes with it."""
        return bool(self.addbsi and self.addbsi[0] == 1) and self.joc_complexity is None


class _Bits:
    """MSB-first bit reader over one big integer."""

    __slots__ = ("_value", "_left")

    def __init__(self, data: bytes, start: int) -> None:
        self._value = int.from_bytes(data, "big")
        self._left = 8 * len(data) - start

    def take(self, count: int) -> int:
        self._left -= count
        if self._left < 0:
            raise Malformed("syncframe.header", "the header passes the end of its syncframe")
        return (self._value >> self._left) & ((1 << count) - 1)

    def skip_if_flag(self, count: int) -> None:
        if self.take(1):
            self.take(count)


def parse_syncframe(frame: bytes) -> Syncframe:
    """Parse a whole syncframe's header (syncinfo and bsi)."""
    prologue = parse_prologue(frame)
    window = frame[: min(HEADER_WINDOW, prologue.size)]
    return _parse_eac3(prologue, window) if prologue.is_eac3 else _parse_ac3(prologue, window)


def _parse_ac3(prologue: Prologue, window: bytes) -> Syncframe:
    bits = _Bits(window, 34)
    bit_rate_code = bits.take(6) >> 1
    bits.take(5)  # bsid
    bsmod = bits.take(3)
    acmod = bits.take(3)
    if acmod & 1 and acmod != 1:
        bits.take(2)  # cmixlev
    if acmod & 4:
        bits.take(2)  # surmixlev
    if acmod == 2:
        bits.take(2)  # dsurmod
    return Syncframe(prologue, acmod, bool(bits.take(1)), bsmod, None, bit_rate_code, None)


def _parse_eac3(prologue: Prologue, window: bytes) -> Syncframe:
    bits = _Bits(window, 36)
    acmod = bits.take(3)
    lfeon = bool(bits.take(1))
    bits.take(5 + 5)  # bsid, dialnorm
    bits.skip_if_flag(8)  # compr
    if acmod == 0:
        bits.take(5)  # dialnorm2
        bits.skip_if_flag(8)  # compr2
    chanmap = None
    if prologue.strmtyp == DEPENDENT and bits.take(1):
        chanmap = bits.take(16)
    if bits.take(1):
        _skip_mixing_metadata(bits, prologue, acmod, lfeon)
    bsmod = _take_informational_metadata(bits, prologue, acmod) if bits.take(1) else 0
    if prologue.strmtyp == INDEPENDENT and prologue.blocks != 6:
        bits.take(1)  # convsync
    if prologue.strmtyp == CONVERTED and (prologue.blocks == 6 or bits.take(1)):
        bits.take(6)  # frmsizecod, sent when blkid is 1 or implied
    addbsi = None
    if bits.take(1):
        count = bits.take(6) + 1
        addbsi = bits.take(8 * count).to_bytes(count, "big")
    return Syncframe(prologue, acmod, lfeon, bsmod, chanmap, None, addbsi)


def _skip_mixing_metadata(bits: _Bits, prologue: Prologue, acmod: int, lfeon: bool) -> None:
    if acmod > 2:
        bits.take(2)  # dmixmod
    if acmod & 1 and acmod > 2:
        bits.take(6)  # ltrtcmixlev, lorocmixlev
    if acmod & 4:
        bits.take(6)  # ltrtsurmixlev, lorosurmixlev
    if lfeon:
        bits.skip_if_flag(5)  # lfemixlevcod
    if prologue.strmtyp != INDEPENDENT:
        return
    bits.skip_if_flag(6)  # pgmscl
    if acmod == 0:
        bits.skip_if_flag(6)  # pgmscl2
    bits.skip_if_flag(6)  # extpgmscl
    mixdef = bits.take(2)
    if mixdef == 1:
        bits.take(5)
    elif mixdef == 2:
        bits.take(12)
    elif mixdef == 3:
        bits.take(8 * (bits.take(5) + 2))
    if acmod < 2:
        bits.skip_if_flag(14)  # panmean, paninfo
        if acmod == 0:
            bits.skip_if_flag(14)
    if bits.take(1):  # frmmixcfginfoe
        if prologue.blocks == 1:
            bits.take(5)
        else:
            for _ in range(prologue.blocks):
                bits.skip_if_flag(5)


def _take_informational_metadata(bits: _Bits, prologue: Prologue, acmod: int) -> int:
    bsmod = bits.take(3)
    bits.take(2)  # copyrightb, origbs
    if acmod == 2:
        bits.take(4)  # dsurmod, dheadphonmod
    if acmod >= 6:
        bits.take(2)  # dsurexmod
    bits.skip_if_flag(8)  # mixlevel, roomtyp, adconvtyp
    if acmod == 0:
        bits.skip_if_flag(8)
    if prologue.fscod < 3:
        bits.take(1)  # sourcefscod
    return bsmod


# --- CRC ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _crc_table() -> tuple[int, ...]:
    """The register after one 16-bit word that met a zero register: polynomial 0x8005, MSB first."""
    by_byte = []
    for value in range(256):
        register = value << 8
        for _ in range(8):
            register = (register << 1 ^ (0x8005 if register & 0x8000 else 0)) & 0xFFFF
        by_byte.append(register)
    table: list[int] = []
    for high in range(256):
        first = by_byte[high]
        table.extend((first << 8 & 0xFFFF) ^ by_byte[first >> 8 ^ low] for low in range(256))
    return tuple(table)


def crc16(data: bytes) -> int:
    """CRC-16 with polynomial 0x8005, zero start value, MSB first, no final XOR (A/52 7.10.1)."""
    table = _crc_table()
    register = 0
    words = array("H", data[: len(data) & ~1])
    if sys.byteorder == "little":
        words.byteswap()
    for word in words:
        register = table[register ^ word]
    if len(data) & 1:
        # One byte more: the table entry of a word (0, b) is what byte b does to a zero register.
        register = (register << 8 & 0xFFFF) ^ table[register >> 8 ^ data[-1]]
    return register


def crc_faults(frame: bytes) -> list[str]:
    """Names of the checksums of a whole syncframe that do not hold: crc1 (AC-3 only), crc2."""
    wrong = []
    if frame[5] >> 3 <= 10:
        words = len(frame) // 2
        if crc16(frame[2 : 2 * ((words >> 1) + (words >> 3))]):
            wrong.append("crc1")
    if crc16(frame[2:]):
        wrong.append("crc2")
    return wrong


# --- Access units -------------------------------------------------------------------------------------------


class Dependent(NamedTuple):
    """What makes a dependent substream what it is."""

    acmod: int
    lfeon: bool
    chanmap: int | None


class Programme(NamedTuple):
    """An independent substream and its dependents, in bitstream order."""

    fscod: int
    sample_rate: int
    bsid: int
    acmod: int
    lfeon: bool
    dependents: tuple[Dependent, ...]


Structure = tuple[Programme, ...]


class FrameSlice(NamedTuple):
    """A syncframe and where its bytes lie in the access unit."""

    offset: int
    frame: Syncframe


@dataclass(frozen=True, slots=True)
class AccessUnit:
    """Whole syncframes in legal order. `blocks` are those of I0: BLOCKS_PER_UNIT, or it is no access unit."""

    slices: list[FrameSlice]
    structure: Structure
    blocks: int

    @property
    def sample_rate(self) -> int:
        return self.structure[0].sample_rate

    @property
    def joc_complexity(self) -> int | None:
        """The largest legal JOC complexity that any syncframe of programme 0 signals."""
        found = [s.frame.joc_complexity for s in self._programme0()]
        return max((value for value in found if value is not None), default=None)

    @property
    def joc_is_invalid(self) -> bool:
        return any(s.frame.joc_is_invalid for s in self._programme0())

    def _programme0(self) -> list[FrameSlice]:
        result, programme = [], 0
        for item in self.slices:
            if not item.frame.prologue.is_dependent:
                programme = item.frame.prologue.substreamid
            if programme == 0:
                result.append(item)
        return result


def parse_access_unit(data: bytes) -> AccessUnit:
    """Prove that `data` is whole syncframes in legal order; the caller looks at the number of blocks."""
    slices: list[FrameSlice] = []
    offset = 0
    while offset < len(data):
        prologue = parse_prologue(data, offset)
        if offset + prologue.size > len(data):
            raise Malformed(
                "au.size",
                f"{prologue.name} at byte {offset} needs {prologue.size} bytes, "
                f"{len(data) - offset} are left",
            )
        slices.append(FrameSlice(offset, parse_syncframe(data[offset : offset + prologue.size])))
        offset += prologue.size
    if not slices:
        raise Malformed("au.empty", "no bytes")
    structures = [_structure_of_set(group) for group in _sets(slices)]
    if any(structure != structures[0] for structure in structures):
        raise Malformed("au.structure", "the substreams change inside the access unit")
    blocks = sum(s.frame.prologue.blocks for s in slices if s.frame.prologue.opens_set)
    return AccessUnit(slices, structures[0], blocks)


def _sets(slices: list[FrameSlice]) -> list[list[Syncframe]]:
    if not slices[0].frame.prologue.opens_set:
        raise Malformed("au.order", f"the first syncframe is {slices[0].frame.prologue.name}, not I0")
    groups: list[list[Syncframe]] = []
    for item in slices:
        if item.frame.prologue.opens_set:
            groups.append([])
        groups[-1].append(item.frame)
    return groups


def _structure_of_set(frames: list[Syncframe]) -> Structure:
    programmes: list[Programme] = []
    dependents: list[Dependent] = []
    first = frames[0].prologue
    for frame in frames:
        prologue = frame.prologue
        if (prologue.sample_rate, prologue.blocks) != (first.sample_rate, first.blocks):
            raise Malformed("au.mixed", f"{prologue.name} has another sample rate or block count than I0")
        due = len(dependents) if prologue.is_dependent else len(programmes)
        if prologue.substreamid != due:
            raise Malformed("au.order", f"{prologue.name} where {prologue.name[0]}{due} is due")
        if prologue.is_dependent:
            dependents.append(Dependent(frame.acmod, frame.lfeon, frame.chanmap))
            programmes[-1] = programmes[-1]._replace(dependents=tuple(dependents))
        else:
            dependents = []
            programmes.append(
                Programme(prologue.fscod, prologue.sample_rate, prologue.bsid, frame.acmod, frame.lfeon, ())
            )
    return tuple(programmes)


def describe(structure: Structure) -> list[dict[str, object]]:
    """A structure as plain values for JSON."""
    return [
        {
            "name": f"I{index}",
            "fscod": programme.fscod,
            "bsid": programme.bsid,
            "acmod": programme.acmod,
            "lfeon": programme.lfeon,
            "dependents": [
                {
                    "name": f"D{number}",
                    "acmod": dependent.acmod,
                    "lfeon": dependent.lfeon,
                    "chanmap": None if dependent.chanmap is None else f"{dependent.chanmap:04x}",
                }
                for number, dependent in enumerate(programme.dependents)
            ],
        }
        for index, programme in enumerate(structure)
    ]
