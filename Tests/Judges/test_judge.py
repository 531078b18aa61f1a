#!/usr/bin/env python3
"""Tests of the judge. They build their own files (crafted.py) and need nothing but Python."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import sys
import tempfile
import unittest
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bitstream
import codecconfig
import judge
from crafted import (
    DEC3_RATE_256,
    DEC3_RATE_SEVEN_ONE,
    SEVEN_ONE,
    SURROUND,
    Eac3,
    Group,
    Movie,
    ac3_frame,
    box,
    crc,
    fragmented,
    full_box,
    movie,
    swapped,
    u32,
    u64,
    units,
)

DAC3_64 = f"{8 << 17 | 7 << 11 | 1 << 10 | 4 << 5:06x}"  # bsid 8, 3/2+LFE, bit_rate_code 4 (64 kb/s)
LARGE = [4096]  # an access unit's size in the phase tests: 32 of them are 128 KiB
DEC3_RATE_4096 = "200020" "0f00"


class JudgeTestCase(unittest.TestCase):
    """Runs the judge's commands on files in a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name: str, data: bytes) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "wb") as handle:
            handle.write(data)
        return path

    def run_judge(self, *arguments: str) -> tuple[int, str]:
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
            try:
                code = judge.main(arguments)
            except SystemExit as error:
                code = int(error.code or 0)
        return code, output.getvalue()

    def assert_right(self, *arguments: str) -> None:
        code, output = self.run_judge(*arguments)
        self.assertEqual((code, output), (0, ""))

    def assert_fault(self, fault: str, *arguments: str) -> None:
        """The judge says `wrong`, and one of the faults has this code."""
        code, output = self.run_judge(*arguments)
        self.assertEqual(code, 1, output)
        self.assertIn(fault, [line.split(":")[0] for line in output.splitlines()], output)

    def listed(self, path: str, *arguments: str) -> list[dict[str, Any]]:
        code, output = self.run_judge("units", path, "--json", *arguments)
        self.assertEqual(code, 0, output)
        result: list[dict[str, Any]] = json.loads(output)["units"]
        return result

    def assert_units(self, data: bytes, expected: list[bytes], name: str = "file") -> None:
        """`units` finds exactly these access units, where they are."""
        found = self.listed(self.write(name, data))
        self.assertEqual(
            [u["sha256"] for u in found], [hashlib.sha256(unit).hexdigest() for unit in expected]
        )
        self.assertEqual([u["index"] for u in found], list(range(len(expected))))
        for unit, bytes_due in zip(found, expected):
            in_file = data[unit["offset"] : unit["offset"] + unit["size"]]
            self.assertIn(bytes_due, (in_file, swapped(in_file)))


class BitstreamTests(unittest.TestCase):
    def test_crc_of_the_check_string(self) -> None:
        self.assertEqual(bitstream.crc16(b"123456789"), 0xFEE8)

    def test_crc_equals_the_bitwise_one(self) -> None:
        for length in range(0, 40):
            data = hashlib.sha512(bytes([length])).digest()[:length]
            self.assertEqual(bitstream.crc16(data), crc(data), length)

    def test_header_of_5_1_at_448_kbps(self) -> None:
        frame = bitstream.parse_syncframe(Eac3(size=1792).frame())
        self.assertEqual(frame.prologue, bitstream.Prologue(True, 0, 0, 1792, 0, 48000, 6, 16))
        self.assertEqual((frame.acmod, frame.lfeon, frame.addbsi), (7, True, None))

    def test_ac3_frame_sizes(self) -> None:
        for fscod, frmsizecod, size in ((0, 8, 256), (1, 20, 834), (1, 21, 836), (2, 28, 2304), (1, 0, 138)):
            frame = bitstream.parse_syncframe(ac3_frame(1, frmsizecod, fscod))
            self.assertEqual(frame.prologue.size, size)
            self.assertEqual((frame.acmod, frame.lfeon), (7, True))

    def test_joc_is_found_behind_all_optional_metadata(self) -> None:
        frame = bitstream.parse_syncframe(Eac3(joc=16, all_metadata=True).frame())
        self.assertEqual(frame.joc_complexity, 16)

    def test_joc_with_an_illegal_complexity_is_not_joc(self) -> None:
        for complexity in (0, 17):
            frame = bitstream.parse_syncframe(Eac3(joc=complexity).frame())
            self.assertIsNone(frame.joc_complexity)
            self.assertTrue(frame.joc_is_invalid)

    def test_half_rate_has_six_blocks(self) -> None:
        unit = bitstream.parse_access_unit(Eac3(fscod=3, numblkscod=1).frame())
        self.assertEqual((unit.blocks, unit.sample_rate), (6, 22050))

    def test_checksums_of_both_formats(self) -> None:
        for frame in (SURROUND.frame(), ac3_frame(3)):
            self.assertEqual(bitstream.crc_faults(frame), [])
            for position in (2, 40, len(frame) - 1):
                broken = bytearray(frame)
                broken[position] ^= 4
                self.assertIn("crc2", bitstream.crc_faults(bytes(broken)))

    def test_chan_loc_is_the_chanmap_reversed(self) -> None:
        for chanmap, chan_loc in ((0x1A00, 0x002), (0xA010, 0x040), (0x0014, 0x040), (0x0400, 0x001),
                                  (0x0102, 0x104), (0x0008, 0x080), (0xF805, 0x000)):  # fmt: skip
            self.assertEqual(codecconfig.chan_loc_of_chanmap(chanmap), chan_loc)

    def test_dec3_payloads_of_the_specification(self) -> None:
        for payload, rate, dependents, chan_loc, joc in (
            ("0e00200f00", 448, 0, 0, None),
            ("0e00200f000104", 448, 0, 0, 4),
            ("1200200f0202", 576, 1, 2, None),
            ("1800200f000110", 768, 0, 0, 16),
            ("0e00200f0000", 448, 0, 0, None),
        ):
            config = codecconfig.parse_dec3(bytes.fromhex(payload))
            self.assertEqual((config.data_rate, config.joc_complexity), (rate, joc))
            due = codecconfig.SubstreamConfig(0, 16, 7, True, dependents, chan_loc)
            self.assertEqual(config.substreams, (due,))


class UnitsTests(JudgeTestCase):
    def test_progressive_files_of_every_shape(self) -> None:
        constant = units(21, SURROUND)
        variable = units(21, SURROUND, sizes=[256, 300, 128])
        small = units(21, SURROUND, sizes=[64, 96])
        shapes: list[tuple[str, list[bytes], dict[str, Any]]] = [
            ("plain", constant, {}),
            ("variable sizes", variable, {}),
            ("table of equal sizes", constant, {"stsz_table": True}),
            ("stz2 of 16 bits", variable, {"stz2_bits": 16}),
            ("stz2 of 8 bits", small, {"stz2_bits": 8}),
            ("co64", variable, {"co64": True}),
            ("64-bit mdat", constant, {"large_mdat": True}),
            ("mdat to the end", constant, {"mdat_to_end": True}),
            ("moov last", variable, {"moov_last": True}),
            ("a chunk a unit", constant, {"units_per_chunk": 1}),
            ("one chunk", variable, {"units_per_chunk": 1000}),
            ("gaps between chunks", variable, {"gap": 37}),
            ("QuickTime version 1", constant, {"entry_version": 1, "brand": b"qt  ", "wave": True}),
            ("QuickTime version 2", constant, {"entry_version": 2, "brand": b"qt  "}),
        ]
        for name, expected, options in shapes:
            with self.subTest(name):
                data = movie(expected, **options)
                self.assert_units(data, expected)
                _, output = self.run_judge("facts", os.path.join(self.folder, "file"), "--json")
                self.assertEqual(json.loads(output)["tracks"][0]["config"], DEC3_RATE_256)

    def test_stz2_of_4_bits_has_the_first_size_in_the_high_nibble(self) -> None:
        # No syncframe is that small: put any sizes in, and look at them with --track.
        data = bytearray(movie([b"abc", b"defgh", b"ij"], stz2_bits=8))
        at = data.index(b"stz2") + 11
        self.assertEqual(data[at], 8)
        data[at] = 4
        data[at + 5 : at + 8] = b"\x35\x20\x00"
        found = self.listed(self.write("file", bytes(data)), "--track", "1")
        self.assertEqual([unit["size"] for unit in found], [3, 5, 2])

    def test_any_part_of_a_track(self) -> None:
        everything = units(21, SURROUND, sizes=[256, 300, 128])
        for options in ({}, {"units_per_chunk": 5}, {"stz2_bits": 16}):
            path = self.write("file", movie(everything, **options))
            whole = self.listed(path)
            for bounds, part in (("3:9", whole[3:9]), (":1", whole[:1]), ("20:", whole[20:]), ("7:7", [])):
                self.assertEqual(self.listed(path, "--range", bounds), part)

    def test_fragments_with_every_kind_of_inheritance(self) -> None:
        constant = units(4, SURROUND)
        variable = units(8, SURROUND, sizes=[256, 300], first=4)
        other = b"another track"

        def size_of_trex(position: int) -> bytes:
            tfhd = full_box("tfhd", u32(1), flags=0x020000)
            trun = full_box("trun", u32(2, 0), flags=0x000001)
            moof = box("moof", box("traf", tfhd, trun))
            trun = full_box("trun", u32(2, len(moof) + 8), flags=0x000001)
            return box("moof", box("traf", tfhd, trun)) + box("mdat", *constant[:2])

        def size_of_tfhd_and_base_offset(position: int) -> bytes:
            def moof(base: int) -> bytes:
                tfhd = full_box("tfhd", u32(1), u64(base), u32(1, 1536, 256, 0), flags=0x00003B)
                return box("moof", box("traf", tfhd, full_box("trun", u32(2), flags=0)))

            return moof(position + len(moof(0)) + 8) + box("mdat", *constant[2:])

        def sizes_of_trun_behind_another_traf(position: int) -> bytes:
            def moof(base: int) -> bytes:
                first = full_box("tfhd", u32(2, len(other)), flags=0x000010)
                first += full_box("trun", u32(1, base), flags=0x000001)
                second = full_box("tfhd", u32(1))
                runs = b""
                for part in (variable[:3], variable[3:]):
                    entries = b"".join(u32(1536, len(unit), 0, 0) for unit in part)
                    runs += full_box("trun", u32(len(part)), u32(7), entries, flags=0x000F04)
                return box("moof", box("traf", first), box("traf", second, runs))

            return moof(len(moof(0)) + 8) + box("mdat", other, *variable)

        data = fragmented([], trex_size=256)
        for fragment in (size_of_trex, size_of_tfhd_and_base_offset, sizes_of_trun_behind_another_traf):
            data += fragment(len(data))
        self.assert_units(data, constant + variable)
        whole = self.listed(os.path.join(self.folder, "file"))
        self.assertEqual(self.listed(os.path.join(self.folder, "file"), "--range", "1:9"), whole[1:9])

    def test_elementary_streams(self) -> None:
        streams = {
            "5.1": units(5, SURROUND),
            "7.1": units(5, *SEVEN_ONE),
            "two programmes": units(5, *SEVEN_ONE, Eac3(size=100, substreamid=1, acmod=2, lfeon=0)),
            "3 blocks": units(5, Eac3(numblkscod=2)),
            "1 block and a dependent": units(
                5, Eac3(numblkscod=0), Eac3(strmtyp=1, numblkscod=0, acmod=2, lfeon=0)
            ),
            "variable": units(5, SURROUND, sizes=[256, 512, 300]),
            "AC-3": [ac3_frame(i) for i in range(5)],
            "AC-3 with an E-AC-3 dependent": [ac3_frame(i) + SEVEN_ONE[1].frame(i) for i in range(5)],
        }
        for name, expected in streams.items():
            data = b"".join(expected)
            with self.subTest(name):
                self.assert_units(data, expected)
            with self.subTest(name + ", byte-swapped"):
                self.assert_units(swapped(data), expected)
            with self.subTest(name + ", behind ID3"):
                self.assert_units(b"ID3\4\0\0\0\0\1\3" + bytes(131) + data, expected)
            with self.subTest(name + ", torn"):
                for torn in (1, len(expected[-1]) // 2, len(expected[-1]) - 1):
                    self.assert_units(data[:-torn], expected[:-1])

    def test_an_end_between_i0_and_d0_is_torn(self) -> None:
        expected = units(3, *SEVEN_ONE)
        self.assert_units(b"".join(expected)[:-128], expected[:-1])

    def test_a_stream_may_become_simpler_at_an_access_unit_border(self) -> None:
        expected = units(3, *SEVEN_ONE) + units(2, SURROUND, first=3)
        self.assert_units(b"".join(expected), expected)

    def test_a_tag_behind_the_stream_is_left_out(self) -> None:
        expected = units(3, SURROUND)
        self.assert_units(b"".join(expected) + b"TAG" + bytes(125), expected)

    def test_a_file_that_is_neither(self) -> None:
        self.assert_fault("file.kind", "units", self.write("file", b"RIFF" + bytes(100)))

    def test_an_access_unit_behind_the_end_of_the_file(self) -> None:
        self.assert_fault("au.end", "units", self.write("file", movie(units(9, SURROUND))[:-1]))

    def test_a_sparse_file_of_6_gib(self) -> None:
        tail = units(3, Eac3(size=4096))
        count = (6 << 30) // 4096
        ftyp = box("ftyp", b"mp42" + u32(0))
        mdat = u32(1) + b"mdat" + u64(16 + count * 4096)
        start = len(ftyp) + len(mdat)
        template = bytearray(Movie([Group(units(1, Eac3(size=4096)))], co64=True)._moov([start]))
        for kind, values in ((b"stsz", (4096, count)), (b"stsc", (1, 1, count)), (b"stts", (1, count))):
            at = template.index(kind) + 8
            template[at : at + 4 * len(values)] = u32(*values)
        path = self.write("large.mp4", ftyp + mdat)
        try:
            with open(path, "r+b") as handle:
                handle.seek(start + (count - 3) * 4096)
                handle.write(b"".join(tail) + template)
        except OSError as error:
            self.skipTest(f"no sparse file of 6 GiB here: {error}")
        if os.stat(path).st_blocks * 512 > 1 << 30:
            self.skipTest("this file system does not make sparse files")
        found = self.listed(path, "--range", f"{count - 3}:")
        self.assertEqual([u["sha256"] for u in found], [hashlib.sha256(unit).hexdigest() for unit in tail])
        clip = self.write("clip.mp4", movie(tail[1:], config=DEC3_RATE_4096))
        self.assert_right("payload", clip, "--of", path, "--range", f"{count - 2}:{count}")
        self.assert_fault(
            "payload.bytes", "payload", clip, "--of", path, "--range", f"{count - 3}:{count - 1}"
        )


class PayloadTests(JudgeTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.units = units(40, SURROUND, sizes=[256, 300, 128])
        self.source = self.write("source.mp4", movie(self.units, units_per_chunk=7, gap=3))
        self.stream = self.write("source.ec3", b"".join(self.units))

    def test_a_range(self) -> None:
        clip = self.write("clip.mp4", movie(self.units[11:23]))
        for source in (self.source, self.stream):
            self.assert_right("payload", clip, "--of", source, "--range", "11:23")
            self.assert_fault("payload.count", "payload", clip, "--of", source, "--range", "11:24")
            self.assert_fault("payload.count", "payload", clip, "--of", source, "--range", "11:22")
            self.assert_fault("payload.bytes", "payload", clip, "--of", source, "--range", "14:26")
            self.assert_fault("payload.size", "payload", clip, "--of", source, "--range", "12:24")

    def test_to_the_end(self) -> None:
        clip = self.write("clip.ec3", b"".join(self.units[30:]))
        self.assert_right("payload", clip, "--of", self.source, "--range", "30:")
        self.assert_right("payload", self.stream, "--of", self.source)

    def test_a_range_that_the_source_does_not_have(self) -> None:
        for source in (self.source, self.stream):
            for bounds in ("30:41", "41:"):
                self.assert_fault("source.range", "payload", source, "--of", source, "--range", bounds)

    def test_a_flipped_byte(self) -> None:
        data = bytearray(movie(self.units[11:23]))
        for at in (data.index(b"mdat") + 4, len(data) - 700, len(data) - 1):
            data[at] ^= 1
            clip = self.write("clip.mp4", bytes(data))
            data[at] ^= 1
            code, output = self.run_judge("payload", clip, "--of", self.source, "--range", "11:23")
            self.assertEqual((code, output.count("\n")), (1, 1))
            self.assertTrue(output.startswith("payload.bytes:") and f" {at} and " in output, output)

    def test_a_join(self) -> None:
        other = units(9, SURROUND, first=100)
        other_path = self.write("other.ec3", b"".join(other))
        joined = self.write("join.mp4", movie(self.units[3:9] + other + self.units[:2]))
        segments = ["--of", self.source, "--range", "3:9", "--of", other_path, "--of", self.source]
        self.assert_right("payload", joined, *segments, "--range", "0:2")
        self.assert_fault("payload.count", "payload", joined, *segments, "--range", "0:1")
        two = self.write("two.mp4", movie(self.units[3:9] + self.units[20:22]))
        self.assert_right("payload", two, "--of", self.source, "--range", "3:9", "--range", "20:22")
        self.assert_fault(
            "payload.size", "payload", two, "--of", self.source, "--range", "20:22", "--range", "3:9"
        )

    def test_byte_swapped_sources(self) -> None:
        source = self.write("swapped.ec3", b"ID3\4\0\0\0\0\0\1x" + swapped(b"".join(self.units)))
        in_movie = self.write("swapped.mp4", movie([swapped(unit) for unit in self.units]))
        clip = self.write("clip.ec3", b"".join(self.units[5:9]))
        for path in (source, in_movie):
            self.assert_right("payload", clip, "--of", path, "--range", "5:9")
        wrong = self.write("wrong.ec3", swapped(b"".join(self.units[5:9])))
        self.assert_fault("payload.byte-order", "payload", wrong, "--of", source, "--range", "5:9")
        self.assert_fault("payload.bytes", "payload", wrong, "--of", source, "--range", "5:9")

    def test_an_elementary_stream_holds_nothing_else(self) -> None:
        data = b"".join(self.units[5:9])
        source = ("--of", self.source, "--range", "5:9")
        self.assert_fault("payload.tail", "payload", self.write("a.ec3", data + b"x"), *source)
        self.assert_fault("payload.tail", "payload", self.write("b.ec3", data + data[:90]), *source)
        self.assert_fault(
            "payload.head", "payload", self.write("c.ec3", b"ID3\4\0\0\0\0\0\1x" + data), *source
        )

    def test_tracks(self) -> None:
        clip = self.write("clip.mp4", movie(self.units[11:23]))
        self.assert_right(
            "payload", clip, "--track", "1", "--of", self.source, "--track", "1", "--range", "11:23"
        )
        self.assert_fault("track.missing", "payload", clip, "--of", self.source, "--track", "2")
        self.assert_fault("track.missing", "payload", clip, "--track", "2", "--of", self.source)


class StructureTests(JudgeTestCase):
    def test_right_outputs(self) -> None:
        joc = Eac3(joc=12)
        outputs: list[tuple[str, list[bytes], dict[str, Any]]] = [
            ("constant", units(21, SURROUND), {}),
            ("variable", units(21, SURROUND, sizes=[256, 300]), {}),
            ("one unit", units(1, SURROUND), {}),
            ("an edit", units(21, SURROUND), {"edits": [(20000, 1536)]}),
            ("an empty edit and an edit", units(21, SURROUND), {"edits": [(5000, -1), (20000, 1536)]}),
            ("7.1", units(9, *SEVEN_ONE), {"config": DEC3_RATE_SEVEN_ONE}),
            ("3 blocks", units(9, Eac3(numblkscod=2, size=128)), {}),
            ("JOC", units(9, joc), {"config": DEC3_RATE_256 + "010c"}),
            ("AC-3", [ac3_frame(i) for i in range(9)], {"config": DAC3_64, "format": "ac-3"}),
            ("44.1 kHz", units(9, Eac3(fscod=1)), {"config": "01d860" "0f00", "sample_rate": 44100}),
            ("other children", units(9, SURROUND), {"extra_entry_children": box("btrt", bytes(12))}),
        ]
        for name, all_units, options in outputs:
            with self.subTest(name):
                self.assert_right("structure", self.write("out.mp4", movie(all_units, **options)))
        with self.subTest("several mdats"):
            groups = [Group(units(9, SURROUND)), Group(units(4, SURROUND, first=9), phase=77)]
            self.assert_right("structure", self.write("out.mp4", Movie(groups).build()))
        with self.subTest("elementary stream"):
            self.assert_right("structure", self.write("out.ec3", b"".join(units(9, *SEVEN_ONE))))

    def test_m4a_has_one_more_brand(self) -> None:
        data = movie(units(9, SURROUND))
        self.assert_fault("ftyp.compatible", "structure", self.write("out.m4a", data))
        with_brand = Movie([Group(units(9, SURROUND))])
        built = with_brand.build()
        head = box("ftyp", b"mp42" + u32(0) + b"mp42isomiso2dby1M4A ")
        moved = bytearray(built[len(head) - 4 :])
        at = moved.index(b"stco") + 8
        count = int.from_bytes(moved[at : at + 4], "big")
        for i in range(count):
            place = slice(at + 4 + 4 * i, at + 8 + 4 * i)
            moved[place] = u32(int.from_bytes(moved[place], "big") + 4)
        self.assert_right("structure", self.write("out.m4a", head + moved))
        self.assert_fault("ftyp.compatible", "structure", self.write("out.mp4", head + moved))

    def test_what_the_options_of_a_movie_make_wrong(self) -> None:
        constant, variable = units(21, SURROUND), units(21, SURROUND, sizes=[256, 300])
        outputs: list[tuple[str, list[bytes], dict[str, Any]]] = [
            ("top.order", constant, {"moov_last": True}),
            ("top.large-size", constant, {"large_mdat": True}),
            ("top.size", constant, {"mdat_to_end": True}),
            ("ftyp.major", constant, {"brand": b"isom"}),
            ("stsz.form", constant, {"stsz_table": True}),
            ("box.unwanted", variable, {"stz2_bits": 16}),
            ("co64.needless", constant, {"co64": True}),
            ("mdat.uncovered", constant, {"gap": 1}),
            ("mdhd.timescale", constant, {"timescale": 90000}),
            ("stts.delta", constant, {"timescale": 90000}),
            ("stsd.version", constant, {"entry_version": 1}),
            ("stsd.config", constant, {"wave": True}),
            ("box.size", constant, {"extra_entry_children": b"stray"}),
            ("elst.shape", constant, {"edits": [(100, 0), (100, 500)]}),
            ("elst.range", constant, {"edits": [(21 * 1536, 1)]}),
            ("stsd.format", constant, {"format": "ac-3", "config": DAC3_64}),
            ("stsd.sample-rate", units(21, Eac3(fscod=1)), {}),
        ]
        for fault, all_units, options in outputs:
            with self.subTest(fault, **options):
                self.assert_fault(fault, "structure", self.write("out.mp4", movie(all_units, **options)))

    def test_what_changed_bytes_make_wrong(self) -> None:
        right = movie(units(21, SURROUND, sizes=[256, 300]), edits=[(20000, 1536)])

        def put(kind: bytes, offset: int, value: bytes, number: int = 0) -> bytes:
            """`value` at `offset` behind the type of a box."""
            data = bytearray(right)
            at = -1
            for _ in range(number + 1):
                at = data.index(kind, at + 1)
            data[at + 4 + offset : at + 4 + offset + len(value)] = value
            return bytes(data)

        moov = right.index(b"moov") - 4
        moov_size = int.from_bytes(right[moov : moov + 4], "big")
        second_track = right[:moov] + u32(moov_size + 8) + right[moov + 4 : moov + moov_size] + box("trak")
        second_track += right[moov + moov_size :]
        stco = right.index(b"stco") + 12
        first_chunk = int.from_bytes(right[stco : stco + 4], "big")
        changes: dict[str, tuple[str, bytes]] = {
            "a byte of the payload": ("syncframe.crc", put(b"mdat", 100, b"\x5a\x5a\x5a\x5a")),
            "a sync word": ("au.sync", put(b"mdat", 0, b"\x0b\x76")),
            "a size in stsz": ("au.size", put(b"stsz", 12, u32(254))),
            "sizes exchanged in stsz": ("au.size", put(b"stsz", 12, u32(300, 256))),
            "an stsz of one size": ("au.size", put(b"stsz", 4, u32(256))),
            "bytes behind a table": ("table.size", put(b"stsz", 4, u32(256))),
            "the count of stsz": ("stts.count", put(b"stsz", 8, u32(20))),
            "the count of stsz, chunks": ("stsc.samples", put(b"stsz", 8, u32(20))),
            "the count of stts": ("mdhd.duration", put(b"stts", 8, u32(20))),
            "the delta of stts": ("stts.delta", put(b"stts", 12, u32(1535))),
            "samples a chunk": ("stsc.samples", put(b"stsc", 12, u32(7))),
            "the description index": ("stsc.description", put(b"stsc", 16, u32(2))),
            "overlapping chunks": ("chunk.overlap", put(b"stco", 12, u32(first_chunk + 8))),
            "a chunk outside": ("chunk.outside", put(b"stco", 8, u32(first_chunk - 1))),
            "a chunk in the file's head": ("chunk.outside", put(b"stco", 8, u32(8))),
            "mvhd's duration": ("mvhd.duration", put(b"mvhd", 16, u32(20001))),
            "mvhd's timescale": ("mvhd.timescale", put(b"mvhd", 12, u32(1000))),
            "mvhd's next track": ("mvhd.next-track-id", put(b"mvhd", 96, u32(1))),
            "tkhd's duration": ("tkhd.duration", put(b"tkhd", 20, u32(21 * 1536))),
            "mdhd's duration": ("mdhd.duration", put(b"mdhd", 16, u32(20000))),
            "elst's duration": ("mvhd.duration", put(b"elst", 8, u32(19999))),
            "elst's rate": ("elst.rate", put(b"elst", 16, u32(0x20000))),
            "elst's media time": ("elst.range", put(b"elst", 12, u32(21 * 1536))),
            "an elst of nothing": ("elst.duration", put(b"elst", 8, u32(0))),
            "the handler": ("hdlr.type", put(b"hdlr", 8, b"vide")),
            "a data reference": ("dref.external", put(b"url ", 0, u32(0))),
            "a size of a box": ("box.size", put(b"stts", -8, u32(25))),
            "dec3's rate is free for variable sizes": ("", put(b"dec3", 0, b"\x03")),
            "dec3's substreams": ("dec3.short", put(b"dec3", 1, b"\x01" + bytes.fromhex("200f00"))),
            "dec3's bsid": ("dec3.bsid", put(b"dec3", 2, b"\x1e")),
            "dec3's fscod": ("dec3.fscod", put(b"dec3", 2, b"\x60")),
            "dec3's acmod": ("dec3.acmod", put(b"dec3", 3, b"\x0d")),
            "dec3's lfeon": ("dec3.lfeon", put(b"dec3", 3, b"\x0e")),
            "dec3's dependents": ("dec3.short", put(b"dec3", 4, b"\x02")),
            "no dec3": ("stsd.config", put(b"dec3", -4, b"free")),
            "two tracks": ("trak.count", second_track),
            "no smhd": ("box.missing", put(b"smhd", -4, b"nmhd")),
            "a byte behind": ("box.size", right + b"x"),
            "a box behind": ("top.order", right + box("free")),
            "a second moov": ("moov.count", right + box("moov")),
            "an empty mdat": ("mdat.empty", right + box("mdat")),
        }
        for name, (fault, data) in changes.items():
            with self.subTest(name):
                path = self.write("out.mp4", data)
                if fault:
                    self.assert_fault(fault, "structure", path)
                else:
                    self.assert_right("structure", path)

    def test_dec3_of_constant_streams(self) -> None:
        constant = units(9, SURROUND)
        joc = units(9, Eac3(joc=5))
        surround_7_1 = units(9, *SEVEN_ONE)
        cases: list[tuple[str, list[bytes], str]] = [
            ("dec3.data-rate", constant, "0210200f00"),
            ("dec3.joc-invented", constant, DEC3_RATE_256 + "0105"),
            ("dec3.joc-missing", joc, DEC3_RATE_256),
            ("dec3.joc-missing", joc, DEC3_RATE_256 + "0005"),
            ("dec3.joc-complexity", joc, DEC3_RATE_256 + "0106"),
            ("dec3.joc-invalid", joc, DEC3_RATE_256 + "0111"),
            ("dec3.chan-loc", surround_7_1, "0300200f0210"),
            ("dec3.data-rate", surround_7_1, "0200200f0202"),
            ("dec3.num-dep-sub", surround_7_1, "0300200f00"),
            ("dec3.num-ind-sub", constant, "0201200f00200f00"),
        ]
        for fault, all_units, config in cases:
            with self.subTest(fault, config=config):
                path = self.write("out.mp4", movie(all_units, config=config))
                self.assert_fault(fault, "structure", path)
        one_off = self.write("out.mp4", movie(constant, config="0208200f00"))
        self.assert_right("structure", one_off)
        dac3 = f"{8 << 17 | 7 << 11 | 1 << 10 | 5 << 5:06x}"
        path = self.write("out.mp4", movie([ac3_frame(i) for i in range(9)], config=dac3, format="ac-3"))
        self.assert_fault("dac3.bit-rate-code", "structure", path)

    def test_every_access_unit_is_looked_at(self) -> None:
        plain, joc = units(9, SURROUND), units(9, Eac3(joc=5))
        mixed = self.write("out.mp4", movie(joc[:4] + plain[4:5] + joc[5:], config=DEC3_RATE_256 + "0105"))
        self.assert_fault("stream.joc-mixed", "structure", mixed)
        self.assert_right("structure", mixed, "--allow-mixed-joc")
        stereo = Eac3(acmod=2, lfeon=0).frame()
        path = self.write("out.mp4", movie(plain[:4] + [stereo] + plain[5:]))
        self.assert_fault("stream.structure", "structure", path)
        self.assert_fault("dec3.acmod", "structure", path)

    def test_access_units_that_are_none(self) -> None:
        half = Eac3(numblkscod=2)
        half_dependent = Eac3(numblkscod=2, strmtyp=1, acmod=2, lfeon=0)
        right = units(3, SURROUND)
        cases = {
            "au.blocks": half.frame(),
            "au.structure": half.frame() + half.frame(1) + half_dependent.frame(),
            "au.order": SEVEN_ONE[1].frame() + SEVEN_ONE[0].frame(),
            "au.mixed": SURROUND.frame() + Eac3(strmtyp=1, fscod=1).frame(),
            "syncframe.sync": SURROUND.frame() + bytes(8),
            "syncframe.bsid": Eac3(bsid=17).frame(),
            "syncframe.strmtyp": Eac3(strmtyp=3).frame(),
            "au.size": SURROUND.frame()[:-2],
        }
        for fault, unit in cases.items():
            with self.subTest(fault):
                self.assert_fault(fault, "structure", self.write("out.mp4", movie(right + [unit])))
        twice = SURROUND.frame() + SURROUND.frame(1)
        self.assert_fault("au.blocks", "structure", self.write("out.mp4", movie(right + [twice])))

    def test_no_edit(self) -> None:
        path = self.write("out.mp4", movie(units(21, SURROUND), edits=[(20000, 1536)]))
        self.assert_right("structure", path)
        self.assert_fault("elst.unwanted", "structure", path, "--no-edit")
        self.assert_right("structure", self.write("out.mp4", movie(units(21, SURROUND))), "--no-edit")

    def test_a_fragmented_file_is_no_output(self) -> None:
        tfhd = full_box("tfhd", u32(1), flags=0x020000)
        moof = box("moof", box("traf", tfhd, full_box("trun", u32(2, 68), flags=0x000001)))
        data = fragmented([moof + box("mdat", *units(2, SURROUND))], trex_size=256)
        self.assert_fault("top.order", "structure", self.write("out.mp4", data))

    def test_faults_of_one_kind_are_capped_and_counted(self) -> None:
        _, output = self.run_judge("structure", self.write("out.mp4", movie([b"x" * 256] * 30)))
        self.assertEqual(output.count("au.sync:"), 11)
        self.assertIn("au.sync: and 20 more of this kind", output)

    def test_json(self) -> None:
        path = self.write("out.mp4", movie(units(21, SURROUND)))
        code, output = self.run_judge("structure", path, "--json")
        report = json.loads(output)
        self.assertEqual((code, report["right"], report["faults"], report["accessUnits"]), (0, True, [], 21))
        code, output = self.run_judge("structure", self.write("out.mp4", movie([b"x" * 256])), "--json")
        self.assertEqual((code, json.loads(output)["right"]), (1, False))

    def test_no_damage_makes_the_judge_fail(self) -> None:
        """Whatever bytes of the headers change, the judge says something, and is not the one to break."""
        right = movie(units(9, SURROUND, sizes=[256, 300]), edits=[(9000, 1536)])
        end = right.index(b"mdat") + 20
        for position in range(end):
            for value in (0x00, 0x01, 0x7F, 0xFF):
                data = right[:position] + bytes([value]) + right[position + 1 :]
                path = self.write("out.mp4", data)
                code, _ = self.run_judge("structure", path, "--source", path, "--range", ":")
                self.assertIn(code, (0, 1), (position, value))


class PhaseTests(JudgeTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.units = units(100, SURROUND, sizes=LARGE)
        # The source's access units lie one behind the other from an odd place.
        data = movie(self.units, config=DEC3_RATE_4096, moov_last=True)
        self.offset = data.index(b"mdat") + 4
        self.source = self.write("source.mp4", data)

    def phase(self, unit: int) -> int:
        return (self.offset + 4096 * unit) % 4096

    def out(self, *groups: Group) -> str:
        return self.write("out.mp4", Movie(list(groups), config=DEC3_RATE_4096).build())

    def check(self, fault: str | None, path: str, *ranges: str) -> None:
        arguments = ["structure", path, "--source", self.source]
        for bounds in ranges:
            arguments += ["--range", bounds]
        if fault is None:
            self.assert_right(*arguments)
        else:
            self.assert_fault(fault, *arguments)

    def test_a_large_run_in_phase(self) -> None:
        path = self.out(Group(self.units[10:60], self.phase(10)))
        self.check(None, path, "10:60")
        self.check(None, path)  # found by content

    def test_a_large_run_out_of_phase(self) -> None:
        for wrong in (0, self.phase(10) + 1, self.phase(10) ^ 512):
            path = self.out(Group(self.units[10:60], wrong))
            self.check("phase.offset", path, "10:60")
            self.check("phase.offset", path)

    def test_runs_below_128_kib_have_no_phase(self) -> None:
        wrong = self.phase(0) ^ 512
        self.check(None, self.out(Group(self.units[10:41], wrong)), "10:41")
        self.check("phase.offset", self.out(Group(self.units[10:42], wrong)), "10:42")

    def test_small_segments_are_packed_and_large_ones_stand_alone(self) -> None:
        small = self.units[:5] + self.units[20:25]
        large = Group(self.units[50:90], self.phase(50))
        ranges = ("0:5", "20:25", "50:90")
        self.check(None, self.out(Group(small), large), *ranges)
        self.check("phase.mdat", self.out(Group(small + self.units[50:90])), *ranges)
        self.check(None, self.out(large, Group(self.units[:5])), "50:90", "0:5")
        shared = Group(self.units[50:90] + self.units[:5], self.phase(50))
        self.check("phase.shared", self.out(shared), "50:90", "0:5")

    def test_a_large_run_in_two_mdats(self) -> None:
        groups = (Group(self.units[10:50], self.phase(10)), Group(self.units[50:90], self.phase(50)))
        self.check("phase.split", self.out(*groups), "10:90")
        self.check(None, self.out(*groups), "10:50", "50:90")

    def test_contiguous_segments_may_share_an_mdat(self) -> None:
        merged = Group(self.units[10:90], self.phase(10))
        self.check(None, self.out(merged), "10:50", "50:90")
        self.check("phase.offset", self.out(Group(merged.units, self.phase(10) ^ 512)), "10:50", "50:90")

    def test_interleaved_sources_have_no_large_runs(self) -> None:
        data = movie(self.units, config=DEC3_RATE_4096, gap=100)
        source = self.write("gaps.mp4", data)
        path = self.out(Group(self.units[10:60], 1234))
        self.assert_right("structure", path, "--source", source, "--range", "10:60")

    def test_elementary_sources(self) -> None:
        path = self.write("source.ec3", b"".join(self.units))
        self.assert_right("structure", self.out(Group(self.units[10:60], 0)), "--source", path)
        self.assert_fault(
            "phase.offset", "structure", self.out(Group(self.units[10:60], 2)), "--source", path
        )
        byte_swapped = self.write("swapped.ec3", swapped(b"".join(self.units)))
        self.assert_right("structure", self.out(Group(self.units[10:60], 2)), "--source", byte_swapped)

    def test_silence_may_come_from_anywhere(self) -> None:
        silence = [self.units[0]] * 100
        source = self.write("silence.ec3", b"".join(units(1, SURROUND) + silence))
        right = self.out(Group(silence[:50], 256))
        self.assert_right("structure", right, "--source", source)
        self.assert_fault("phase.offset", "structure", self.out(Group(silence[:50], 0)), "--source", source)

    def test_an_output_of_something_else(self) -> None:
        path = self.out(Group(self.units[10:50] + self.units[:1], self.phase(10)))
        self.check("phase.source", path)


class FactsTests(JudgeTestCase):
    def facts(self, data: bytes) -> dict[str, Any]:
        code, output = self.run_judge("facts", self.write("file", data), "--json")
        self.assertEqual(code, 0)
        result: dict[str, Any] = json.loads(output)
        return result

    def test_of_a_progressive_file(self) -> None:
        plain, joc = units(9, SURROUND), units(9, Eac3(joc=5))
        data = movie(joc[:4] + plain[4:], config=DEC3_RATE_256 + "0105", edits=[(9000, 1536)])
        facts = self.facts(data)
        self.assertEqual((facts["container"], facts["bytes"]), ("mp4", len(data)))
        (track,) = facts["tracks"]
        expected = {
            "id": 1,
            "codec": "ec-3",
            "timescale": 48000,
            "accessUnits": 9,
            "accessUnitBytes": 256,
            "sampleRate": 48000,
            "pcmSamples": 9 * 1536,
            "stts": {"entries": [[9, 1536]], "sum": 9 * 1536},
            "elst": [{"segmentDuration": 9000, "mediaTime": 1536, "rate": 1.0}],
            "config": DEC3_RATE_256 + "0105",
            "joc": {"coverage": 4, "complexities": {"5": 4}, "invalid": 0},
            "dataRate": 64.0,
        }
        self.assertEqual({key: track[key] for key in expected}, expected)

    def test_of_elementary_streams(self) -> None:
        data = b"".join(units(9, *SEVEN_ONE))
        for stream, is_swapped in ((data, False), (swapped(data), True)):
            facts = self.facts(stream + b"\x0b")
            (track,) = facts["tracks"]
            self.assertEqual(facts["container"], "elementary-stream")
            self.assertEqual((track["accessUnits"], track["tailBytes"]), (9, 1))
            self.assertEqual((track["codec"], track["byteSwapped"]), ("ec-3", is_swapped))
            dependent = {"name": "D0", "acmod": 6, "lfeon": False, "chanmap": "1a00"}
            self.assertEqual(track["substreams"][0]["dependents"], [dependent])

    def test_of_variable_sizes(self) -> None:
        (track,) = self.facts(movie(units(4, SURROUND, sizes=[256, 512])))["tracks"]
        self.assertIsNone(track["accessUnitBytes"])
        self.assertEqual((track["dataRate"], track["maximumDataRate"]), (96.0, 128.0))

    def test_of_access_units_that_cannot_be_read(self) -> None:
        (track,) = self.facts(movie(units(4, SURROUND) + [bytes(256)]))["tracks"]
        self.assertEqual((track["accessUnits"], track["unreadableAccessUnits"]), (5, 1))
        self.assertTrue(track["firstFault"].startswith("AU 4: syncframe.sync"))

    def test_text(self) -> None:
        code, output = self.run_judge("facts", self.write("file", movie(units(4, SURROUND))))
        self.assertEqual(code, 0)
        self.assertIn("  accessUnits: 4\n", output)


class CommandLineTests(JudgeTestCase):
    def test_usage_is_2(self) -> None:
        path = self.write("file", movie(units(1, SURROUND)))
        for arguments in (
            (),
            ("no-such-command", path),
            ("units",),
            ("payload", path),
            ("payload", path, "--range", "0:1", "--of", path),
            ("payload", path, "--of", path, "--range", "1"),
            ("payload", path, "--of", path, "--range", "2:1"),
            ("payload", path, "--of", path, "--range", "-1:2"),
            ("facts", path, "--track", "1"),
        ):
            with self.subTest(arguments):
                self.assertEqual(self.run_judge(*arguments)[0], 2)

    def test_a_missing_file_is_2_and_not_wrong(self) -> None:
        path = self.write("file", movie(units(1, SURROUND)))
        missing = os.path.join(self.folder, "missing")
        for arguments in (("units", missing), ("payload", path, "--of", missing), ("structure", missing)):
            self.assertEqual(self.run_judge(*arguments), (2, ""))

    def test_an_empty_file_is_wrong(self) -> None:
        path = self.write("file", b"")
        for command in ("units", "structure", "facts"):
            self.assert_fault("file.kind", command, path)


if __name__ == "__main__":
    unittest.main()
