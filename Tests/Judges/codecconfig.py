"""The config boxes dec3 and dac3 (ETSI TS 102 366 F.6 and F.4), and whether they agree with a bitstream."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from bitstream import BLOCKS_PER_UNIT, PCM_PER_UNIT, AccessUnit, Structure
from common import Faults, Malformed

# Table F.6.1: chan_loc bit 0 upwards <- chanmap mask.
_CHAN_LOC_MASKS = (0x0400, 0x0200, 0x0100, 0x0080, 0x0040, 0x0020, 0x0010, 0x0008, 0x0002)


def chan_loc_of_chanmap(chanmap: int) -> int:
    """chan_loc of one chanmap; L, C, R, Ls, Rs, LFE and Lts/Rts cannot be expressed."""
    return sum(1 << bit for bit, mask in enumerate(_CHAN_LOC_MASKS) if chanmap & mask)


@dataclass(frozen=True, slots=True)
class SubstreamConfig:
    """One independent substream as dec3 declares it. `chan_loc` is 0 without dependents."""

    fscod: int
    bsid: int
    acmod: int
    lfeon: bool
    num_dep_sub: int
    chan_loc: int


@dataclass(frozen=True, slots=True)
class Dec3:
    """EC3SpecificBox. `joc_complexity` is None when the extension is not signalled."""

    data_rate: int
    substreams: tuple[SubstreamConfig, ...]
    joc_complexity: int | None
    joc_is_invalid: bool


@dataclass(frozen=True, slots=True)
class Dac3:
    """AC3SpecificBox."""

    fscod: int
    bsid: int
    acmod: int
    lfeon: bool
    bit_rate_code: int


def parse_dec3(payload: bytes) -> Dec3:
    """The ETSI layout and nothing else; bytes behind the JOC extension are reserved and ignored."""
    if len(payload) < 2:
        raise Malformed("dec3.short", f"{len(payload)} bytes")
    head = int.from_bytes(payload[:2], "big")
    offset = 2
    substreams = []
    for index in range((head & 7) + 1):
        if offset + 3 > len(payload):
            raise Malformed("dec3.short", f"the box ends inside substream I{index}")
        word = int.from_bytes(payload[offset : offset + 3], "big")
        num_dep_sub = word >> 1 & 15
        chan_loc = 0
        offset += 3
        if num_dep_sub:
            if offset >= len(payload):
                raise Malformed("dec3.short", f"the box ends inside chan_loc of I{index}")
            chan_loc = (word & 1) << 8 | payload[offset]
            offset += 1
        substreams.append(
            SubstreamConfig(
                word >> 22, word >> 17 & 31, word >> 9 & 7, bool(word >> 8 & 1), num_dep_sub, chan_loc
            )
        )
    rest = payload[offset:]
    flagged = bool(rest) and rest[0] == 1
    legal = flagged and len(rest) >= 2 and 1 <= rest[1] <= 16
    return Dec3(head >> 3, tuple(substreams), rest[1] if legal else None, flagged and not legal)


def parse_dac3(payload: bytes) -> Dac3:
    if len(payload) != 3:
        raise Malformed("dac3.size", f"{len(payload)} bytes of payload instead of 3")
    word = int.from_bytes(payload, "big")
    return Dac3(word >> 22, word >> 17 & 31, word >> 11 & 7, bool(word >> 10 & 1), word >> 5 & 31)


@dataclass(slots=True)
class BitstreamSummary:
    """What all access units of a track have in common, and where they differ."""

    structures: dict[Structure, int] = field(default_factory=dict)  # structure -> first AU index
    structure_counts: Counter[Structure] = field(default_factory=Counter)
    joc: Counter[int | None] = field(default_factory=Counter)  # complexity (None: no JOC) -> AUs
    joc_first: dict[int | None, int] = field(default_factory=dict)
    joc_invalid: int = 0
    bit_rate_codes: set[int] = field(default_factory=set)
    codecs: set[str] = field(default_factory=set)
    sizes: set[int] = field(default_factory=set)
    bytes: int = 0
    units: int = 0
    incomplete: int = 0  # of the units: not six blocks
    unreadable: int = 0

    def add(self, index: int, size: int, unit: AccessUnit) -> None:
        self.units += 1
        self.bytes += size
        self.sizes.add(size)
        self.structures.setdefault(unit.structure, index)
        self.structure_counts[unit.structure] += 1
        complexity = unit.joc_complexity
        self.joc[complexity] += 1
        self.joc_first.setdefault(complexity, index)
        self.incomplete += unit.blocks != BLOCKS_PER_UNIT
        self.joc_invalid += unit.joc_is_invalid
        for item in unit.slices:
            self.codecs.add("ec-3" if item.frame.prologue.is_eac3 else "ac-3")
            if item.frame.bit_rate_code is not None:
                self.bit_rate_codes.add(item.frame.bit_rate_code)

    def add_unreadable(self, size: int) -> None:
        self.unreadable += 1
        self.bytes += size
        self.sizes.add(size)

    @property
    def structure(self) -> Structure | None:
        return next(iter(self.structures), None)

    @property
    def sample_rate(self) -> int | None:
        return self.structure[0].sample_rate if self.structure else None

    def kbps(self, size: float) -> float:
        """Data rate of access units of `size` bytes."""
        return size * 8 * (self.sample_rate or 0) / (PCM_PER_UNIT * 1000)


def check_stream_is_uniform(summary: BitstreamSummary, allow_mixed_joc: bool, faults: Faults) -> None:
    """A track has one structure, and JOC with one complexity in all of its access units or in none."""
    if len(summary.structures) > 1:
        where = list(summary.structures.values())[1]
        faults.add("stream.structure", f"the substreams change at AU {where}: {describe_short(summary)}")
    if summary.joc_invalid:
        faults.add("stream.joc-invalid", f"{summary.joc_invalid} AUs flag JOC without a legal complexity")
    if len(summary.joc) > 1 and not allow_mixed_joc:
        parts = ", ".join(
            f"{'no JOC' if c is None else f'complexity {c}'} in {n} AUs from AU {summary.joc_first[c]}"
            for c, n in summary.joc.items()
        )
        faults.add("stream.joc-mixed", parts)


def describe_short(summary: BitstreamSummary) -> str:
    names = []
    for structure in summary.structures:
        parts = [
            f"acmod {p.acmod}{'+lfe' if p.lfeon else ''} with {len(p.dependents)} dependents"
            for p in structure
        ]
        names.append("; ".join(parts))
    return " | ".join(names[:4])


def check_dec3(payload: bytes, summary: BitstreamSummary, faults: Faults) -> None:
    """Every structure seen in the bitstream must be the one that dec3 declares."""
    try:
        config = parse_dec3(payload)
    except Malformed as error:
        faults.add_malformed(error)
        return
    for structure, first in summary.structures.items():
        _check_dec3_structure(config, structure, first, faults)
    if len(summary.sizes) == 1:
        exact = summary.kbps(next(iter(summary.sizes)))
        if not math.floor(exact) - 1 <= config.data_rate <= math.ceil(exact) + 1:
            faults.add("dec3.data-rate", f"dec3 says {config.data_rate} kb/s, the AUs have {exact:.2f}")
    if config.joc_is_invalid:
        faults.add("dec3.joc-invalid", "dec3 flags JOC without a legal complexity")
    due = max((c for c in summary.joc if c is not None), default=None)
    if config.joc_complexity != due:
        code = (
            "dec3.joc-missing"
            if config.joc_complexity is None
            else "dec3.joc-invented" if due is None else "dec3.joc-complexity"
        )
        faults.add(code, f"dec3 says complexity {config.joc_complexity}, the bitstream {due}")


def _check_dec3_structure(config: Dec3, structure: Structure, first: int, faults: Faults) -> None:
    if len(config.substreams) != len(structure):
        faults.add(
            "dec3.num-ind-sub",
            f"dec3 has {len(config.substreams)} independent substreams, "
            f"the bitstream {len(structure)} (AU {first})",
        )
        return
    for index, (declared, found) in enumerate(zip(config.substreams, structure)):
        chan_loc = 0
        for dependent in found.dependents:
            chan_loc |= chan_loc_of_chanmap(dependent.chanmap or 0)
        for name, said, real in (
            ("fscod", declared.fscod, found.fscod),
            ("bsid", declared.bsid, found.bsid),
            ("acmod", declared.acmod, found.acmod),
            ("lfeon", declared.lfeon, found.lfeon),
            ("num-dep-sub", declared.num_dep_sub, len(found.dependents)),
            ("chan-loc", declared.chan_loc, chan_loc),
        ):
            faults.require(
                said == real,
                f"dec3.{name}",
                f"I{index}: dec3 says {int(said):#x}, the bitstream {int(real):#x} (AU {first})",
            )


def check_dac3(payload: bytes, summary: BitstreamSummary, faults: Faults) -> None:
    """The same for dac3: one AC-3 syncframe is one access unit."""
    try:
        config = parse_dac3(payload)
    except Malformed as error:
        faults.add_malformed(error)
        return
    for structure, first in summary.structures.items():
        if len(structure) != 1 or structure[0].dependents:
            faults.add("dac3.substreams", f"AU {first} has more than one substream")
        found = structure[0]
        for name, said, real in (
            ("fscod", config.fscod, found.fscod),
            ("bsid", config.bsid, found.bsid),
            ("acmod", config.acmod, found.acmod),
            ("lfeon", config.lfeon, found.lfeon),
        ):
            faults.require(
                said == real, f"dac3.{name}", f"dac3 says {int(said)}, the bitstream {int(real)} (AU {first})"
            )
    if len(summary.bit_rate_codes) == 1:
        real_code = next(iter(summary.bit_rate_codes))
        faults.require(
            config.bit_rate_code == real_code,
            "dac3.bit-rate-code",
            f"dac3 says {config.bit_rate_code}, the bitstream {real_code}",
        )
