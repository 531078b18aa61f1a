"""Is a file laid out as Kerfless promises? DESIGN.md, section 5.5, and the codec config of section 5.3."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from bitstream import BLOCKS_PER_UNIT, PCM_PER_UNIT, SYNC_WORD, crc_faults, parse_access_unit
from codecconfig import BitstreamSummary, check_dac3, check_dec3, check_stream_is_uniform
from common import Faults, FileBytes, Malformed
from isomedia import (
    AUDIO_ENTRY_BYTES,
    Box,
    Chunks,
    SampleEntry,
    boxes,
    is_iso_media,
    read_chunks,
    read_edits,
    read_sample_entries,
    read_timescale_and_duration,
    table_count,
)
from media import AudioTrack, ElementaryTrack, open_media
from payload import Segment, check_nothing_but_units
from phase import MdatPayload, check_phase, find_segment

COMPATIBLE_BRANDS = (b"mp42", b"isom", b"iso2", b"dby1")
_CONTAINERS = frozenset(
    (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"dinf", b"sinf", b"schi", b"mvex")
)
_COUNTED_CONTAINERS = frozenset((b"stsd", b"dref"))
_REPEATABLE = frozenset(
    (b"trak", b"free", b"skip", b"wide", b"uuid", b"udta", b"sgpd", b"sbgp", b"subs", b"url ", b"urn ")
)
_MAX_32_BIT = 0xFFFFFFFF


@dataclass(slots=True)
class Options:
    """What the caller knows about the output."""

    no_edit: bool = False
    allow_mixed_joc: bool = False
    sources: list[tuple[AudioTrack, tuple[int, int | None] | None]] = field(default_factory=list)


@dataclass(slots=True)
class _Boxes:
    """The boxes of a movie with one track, by path from moov: `trak/mdia/mdhd`."""

    by_path: dict[str, Box]

    def get(self, path: str) -> Box | None:
        return self.by_path.get(path)

    def need(self, path: str) -> Box:
        if path not in self.by_path:
            raise Malformed("box.missing", f"moov/{path}")
        return self.by_path[path]


def check_structure(path: str, options: Options, faults: Faults) -> dict[str, object]:
    """Add every fault of `path`; returns a few facts that were found on the way."""
    file = FileBytes(path)
    if is_iso_media(file):
        return _IsoJudge(file, options, faults).judge()
    media = open_media(path)
    if media.elementary is None:
        raise Malformed("file.kind", "neither an ISO file nor an elementary stream")
    return _check_elementary(media.elementary, options, faults)


def _check_elementary(track: ElementaryTrack, options: Options, faults: Faults) -> dict[str, object]:
    summary = check_units(track, faults)
    check_nothing_but_units(track, faults)
    check_stream_is_uniform(summary, options.allow_mixed_joc, faults)
    faults.require(summary.units + summary.unreadable > 0, "au.none", "no access units")
    return {"container": "elementary-stream", "accessUnits": summary.units, "bytes": track.file.size}


def check_units(track: AudioTrack, faults: Faults) -> BitstreamSummary:
    """Every access unit: sync word, whole syncframes, order, six blocks, checksums."""
    summary = BitstreamSummary()
    for index, offset, size in track.units():
        data = track.file.read(offset, size)
        if data[:2] != SYNC_WORD:
            faults.add(
                "au.sync", f"AU {index} at offset {offset} starts with {data[:2].hex()} instead of 0b77"
            )
            summary.add_unreadable(size)
            continue
        try:
            unit = parse_access_unit(data)
        except Malformed as error:
            faults.add(error.code, f"AU {index} at offset {offset}: {error.message}")
            summary.add_unreadable(size)
            continue
        if unit.blocks != BLOCKS_PER_UNIT:
            faults.add("au.blocks", f"AU {index} at offset {offset}: {unit.blocks} blocks of I0, not 6")
        summary.add(index, size, unit)
        for begin, frame in unit.slices:
            for name in crc_faults(data[begin : begin + frame.prologue.size]):
                faults.add(
                    "syncframe.crc",
                    f"AU {index}: {name} of {frame.prologue.name} at offset {offset + begin} is wrong",
                )
    return summary


class _IsoJudge:
    """Judges one ISO file in stages; a stage that cannot go on leaves its fault, and the next one starts."""

    def __init__(self, file: FileBytes, options: Options, faults: Faults) -> None:
        self._file = file
        self._options = options
        self._faults = faults
        self._top: list[Box] = []
        self._boxes = _Boxes({})
        self._mdats: list[MdatPayload] = []
        self._chunks: Chunks | None = None
        self._timescale = 0
        self._facts: dict[str, object] = {"container": "mp4", "bytes": file.size}

    def judge(self) -> dict[str, object]:
        for stage in (
            self._check_top_level,
            self._check_ftyp,
            self._check_moov,
            self._check_headers,
            self._check_stts,
            self._check_sample_table,
            self._check_chunks,
            self._check_stream,
            self._check_phase,
        ):
            try:
                stage()
            except Malformed as error:
                self._faults.add_malformed(error)
        return self._facts

    # Boxes

    def _check_top_level(self) -> None:
        for box in boxes(self._file, 0, self._file.size):
            self._top.append(box)
        names = [box.type for box in self._top]
        order = "ftyp, moov, then one or more of [free] mdat"
        if names[:2] != [b"ftyp", b"moov"] or not _is_free_mdat_sequence(names[2:]):
            shown = " ".join(box.name for box in self._top[:12]) + (" ..." if len(names) > 12 else "")
            self._faults.add("top.order", f"{shown} instead of {order}")
        for box in self._top:
            if box.size_field == 0:
                self._faults.add(
                    "top.size", f"{box.name} at offset {box.start} says `to the end of the file`"
                )
            if box.size_field == 1 and box.end - box.start - 8 <= _MAX_32_BIT:
                # Without the large size it would be 8 bytes shorter.
                self._faults.add(
                    "top.large-size",
                    f"{box.name} at offset {box.start} has a 64-bit size, "
                    f"{box.end - box.start - 8} would fit into 32 bits",
                )
            if box.type == b"mdat":
                self._faults.require(box.payload < box.end, "mdat.empty", f"mdat at offset {box.start}")
                self._mdats.append(MdatPayload(box.payload, box.end))
        self._facts["mdats"] = len(self._mdats)

    def _check_ftyp(self) -> None:
        ftyp = next((box for box in self._top if box.type == b"ftyp"), None)
        if ftyp is None:
            return
        body = self._file.read(ftyp.payload, ftyp.end - ftyp.payload)
        brands = [body[i : i + 4] for i in range(8, len(body), 4)]
        due = list(COMPATIBLE_BRANDS)
        suffix = os.path.splitext(self._file.path)[1].lower()
        if suffix == ".m4a" or b"M4A " in brands and suffix != ".mp4":
            due.append(b"M4A ")
        self._faults.require(body[:4] == b"mp42", "ftyp.major", f"{body[:4]!r} instead of b'mp42'")
        self._faults.require(
            sorted(brands) == sorted(due),
            "ftyp.compatible",
            f"{b' '.join(brands)!r} instead of {b' '.join(due)!r}",
        )

    def _check_moov(self) -> None:
        moovs = [box for box in self._top if box.type == b"moov"]
        if len(moovs) != 1:
            raise Malformed("moov.count", f"{len(moovs)}")
        self._walk(moovs[0], "")
        traks = [path for path in self._boxes.by_path if path.startswith("trak") and "/" not in path]
        self._faults.require(len(traks) == 1, "trak.count", f"{len(traks)} tracks instead of 1")
        for path in ("mvex", "trak/mdia/minf/stbl/stz2", "trak/mdia/minf/stbl/ctts"):
            self._faults.require(path not in self._boxes.by_path, "box.unwanted", f"moov/{path}")
        data_reference = "trak/mdia/minf/dinf/dref/url "
        for path in ("trak/mdia/hdlr", "trak/mdia/minf/smhd", data_reference):
            self._faults.require(path in self._boxes.by_path, "box.missing", f"moov/{path}")
        url = self._boxes.get(data_reference)
        if url is not None:
            self._faults.require(self._file.u32(url.payload) & 1 == 1, "dref.external", "not self-contained")

    def _walk(self, parent: Box, prefix: str) -> None:
        """Collect the boxes below `parent`, which they must fill exactly."""
        start = parent.payload + (8 if parent.type in _COUNTED_CONTAINERS else 0)
        seen: Counter[bytes] = Counter()
        for box in boxes(self._file, start, parent.end):
            seen[box.type] += 1
            number = seen[box.type]
            path = prefix + box.name + (f"[{number}]" if number > 1 else "")
            self._boxes.by_path[path] = box
            if box.size_field == 0:
                self._faults.add("box.size", f"moov/{path} has size 0")
            if number > 1 and box.type not in _REPEATABLE and parent.type not in _COUNTED_CONTAINERS:
                self._faults.add("box.twice", f"moov/{path}")
            if box.type in _CONTAINERS or box.type in _COUNTED_CONTAINERS:
                self._walk(box, path + "/")
        if parent.type in _COUNTED_CONTAINERS:
            said = self._file.u32(parent.payload + 4)
            self._faults.require(
                said == sum(seen.values()),
                f"{parent.name.strip()}.count",
                f"{said} entries, {sum(seen.values())} boxes",
            )

    # Durations

    def _check_headers(self) -> None:
        file, faults = self._file, self._faults
        mvhd, tkhd = self._boxes.need("mvhd"), self._boxes.need("trak/tkhd")
        movie_timescale, movie_duration = read_timescale_and_duration(file, mvhd)
        self._timescale, media_duration = read_timescale_and_duration(
            file, self._boxes.need("trak/mdia/mdhd")
        )
        version = file.u8(tkhd.payload)
        track_id = file.u32(tkhd.payload + (20 if version else 12))
        track_duration = file.u64(tkhd.payload + 28) if version else file.u32(tkhd.payload + 20)
        next_track_id = file.u32(mvhd.end - 4)
        faults.require(
            movie_timescale == self._timescale,
            "mvhd.timescale",
            f"movie timescale {movie_timescale}, media timescale {self._timescale}",
        )
        faults.require(
            0 < track_id < next_track_id, "mvhd.next-track-id", f"{next_track_id}, the track is {track_id}"
        )
        handler = self._boxes.get("trak/mdia/hdlr")
        if handler is not None:
            kind = file.read(handler.payload + 8, 4)
            faults.require(kind == b"soun", "hdlr.type", f"{kind!r}")
        presented = self._presented_duration(media_duration, movie_timescale)
        faults.require(
            movie_duration == presented, "mvhd.duration", f"{movie_duration} instead of {presented}"
        )
        faults.require(
            track_duration == presented, "tkhd.duration", f"{track_duration} instead of {presented}"
        )

    def _presented_duration(self, media_duration: int, movie_timescale: int) -> Fraction:
        """In the movie's timescale, by the edit list: an optional empty edit, then one edit of rate 1.

        Without a list it is the media's duration.
        """
        faults = self._faults
        to_movie = Fraction(movie_timescale, self._timescale) if self._timescale else Fraction(1)
        if self._options.no_edit:
            faults.require(self._boxes.get("trak/edts") is None, "elst.unwanted", "there is an edts box")
        elst = self._boxes.get("trak/edts/elst")
        if elst is None:
            faults.require(self._boxes.get("trak/edts") is None, "elst.missing", "edts without elst")
            return media_duration * to_movie
        edits = read_edits(self._file, elst)
        if not edits:
            faults.add("elst.shape", "no edits")
            return media_duration * to_movie
        leading, last = edits[:-1], edits[-1]
        faults.require(
            len(leading) <= 1 and all(edit.media_time == -1 for edit in leading) and last.media_time >= 0,
            "elst.shape",
            f"{[tuple(edit) for edit in edits[:4]]} is not [an empty edit and] one edit",
        )
        faults.require(all(edit.rate == 0x10000 for edit in edits), "elst.rate", "a rate is not 1")
        faults.require(last.segment_duration > 0, "elst.duration", "an edit of no duration")
        faults.require(
            last.media_time * to_movie + last.segment_duration <= media_duration * to_movie,
            "elst.range",
            f"{last.media_time} + {last.segment_duration} passes the end of the media ({media_duration})",
        )
        self._facts["elst"] = [list(edit) for edit in edits]
        return Fraction(sum(edit.segment_duration for edit in edits))

    def _check_stts(self) -> None:
        file, faults = self._file, self._faults
        stts = self._boxes.need("trak/mdia/minf/stbl/stts")
        count = table_count(file, stts, 8, 64)
        self._check_table_end(stts, 8 + 8 * count)
        samples = total = 0
        for i in range(count):
            run, delta = file.unpack("II", stts.payload + 8 + 8 * i)
            faults.require(delta == PCM_PER_UNIT, "stts.delta", f"entry {i}: {run} x {delta}")
            samples += run
            total += run * delta
        _, media_duration = read_timescale_and_duration(file, self._boxes.need("trak/mdia/mdhd"))
        faults.require(
            media_duration == total, "mdhd.duration", f"{media_duration}, the sum of stts is {total}"
        )
        chunks = self._sample_table()
        faults.require(
            samples == chunks.count, "stts.count", f"{samples} MP4 samples, stsz has {chunks.count}"
        )

    # Sample table and payload

    def _sample_table(self) -> Chunks:
        if self._chunks is None:
            self._chunks = read_chunks(self._file, self._boxes.need("trak/mdia/minf/stbl"))
        return self._chunks

    def _check_table_end(self, box: Box, length: int) -> None:
        self._faults.require(
            box.payload + length == box.end,
            "table.size",
            f"{box.name} at offset {box.start} has {box.end - box.payload - length} bytes "
            f"behind its entries",
        )

    def _check_sample_table(self) -> None:
        faults, stbl, chunks = self._faults, "trak/mdia/minf/stbl/", self._sample_table()
        count = chunks.count
        faults.require(count > 0, "au.none", "no access units")
        stsz = self._boxes.get(stbl + "stsz")
        if stsz is not None:
            self._check_table_end(stsz, 12 + (0 if chunks.constant_size else 4 * count))
        self._check_table_end(self._boxes.need(stbl + "stsc"), 8 + 12 * len(chunks.stsc))
        offsets = self._boxes.get(stbl + "stco") or self._boxes.need(stbl + "co64")
        width = 8 if chunks.offsets_are_64_bit else 4
        self._check_table_end(offsets, 8 + width * chunks.chunk_count)
        faults.require(
            chunks.described == count,
            "stsc.samples",
            f"stsc and the chunk offsets describe {chunks.described} MP4 samples, stsz {count}",
        )
        if not chunks.constant_size and count:
            first = chunks.size(0)
            if all(chunks.size(i) == first for i in range(count)):
                faults.add("stsz.form", f"a table although all {count} sizes are {first}")
        stss = self._boxes.get(stbl + "stss")
        if stss is not None:
            said = table_count(self._file, stss, 8, 32)
            faults.require(said == count, "stss.count", f"{said} sync samples of {count}")
        entries = table_count(self._file, self._boxes.need(stbl + "stsd"), 8, 0)
        wrong = sorted({d for _, _, d in chunks.stsc if not 1 <= d <= entries})
        faults.require(not wrong, "stsc.description", f"sample description {wrong} of {entries}")
        self._facts["accessUnits"] = count
        self._facts["chunks"] = chunks.chunk_count

    def _check_chunks(self) -> None:
        """Chunks lie in mdat payloads, do not overlap, and leave no payload byte over."""
        faults, chunks = self._faults, self._sample_table()
        extents = []
        for offset, first, per_chunk, _ in chunks.chunks():
            last = min(first + per_chunk, chunks.count)
            size = (
                chunks.constant_size * (last - first)
                if chunks.constant_size
                else sum(chunks.size(i) for i in range(first, last))
            )
            extents.append((offset, offset + size))
        extents.sort()
        mdats = sorted(self._mdats)
        positions = [mdat.start for mdat in mdats]  # up to where each mdat is covered
        number = 0
        for start, end in extents:
            while number + 1 < len(mdats) and start >= mdats[number].end:
                number += 1
            if not mdats or not mdats[number].start <= start <= end <= mdats[number].end:
                faults.add("chunk.outside", f"chunk {start}..<{end} is not inside an mdat")
                continue
            if start < positions[number]:
                faults.add(
                    "chunk.overlap",
                    f"chunk {start}..<{end} overlaps the one that ends at {positions[number]}",
                )
            elif start > positions[number]:
                faults.add(
                    "mdat.uncovered", f"bytes {positions[number]}..<{start} of an mdat belong to no chunk"
                )
            positions[number] = max(positions[number], end)
        for mdat, position in zip(mdats, positions):
            if position < mdat.end:
                faults.add("mdat.uncovered", f"bytes {position}..<{mdat.end} of an mdat belong to no chunk")
        if chunks.offsets_are_64_bit and extents and extents[-1][0] <= _MAX_32_BIT:
            faults.add("co64.needless", f"co64 although the largest offset is {extents[-1][0]}")

    # Bitstream and config

    def _check_stream(self) -> None:
        faults = self._faults
        track = self._track()
        if not faults.require(not track.swapped, "au.sync", "the bitstream is byte-swapped"):
            return
        summary = check_units(track, faults)
        check_stream_is_uniform(summary, self._options.allow_mixed_joc, faults)
        rate = summary.sample_rate
        if rate is None:
            return
        faults.require(
            all(s[0].sample_rate == rate for s in summary.structures),
            "stream.sample-rate",
            "the sample rate changes",
        )
        faults.require(
            self._timescale == rate, "mdhd.timescale", f"{self._timescale}, the sample rate is {rate}"
        )
        stsd = self._boxes.need("trak/mdia/minf/stbl/stsd")
        for entry in read_sample_entries(self._file, stsd, "soun"):
            self._check_entry(entry, rate, summary)

    def _check_entry(self, entry: SampleEntry, rate: int, summary: BitstreamSummary) -> None:
        faults = self._faults
        due = {"ec-3": "dec3", "ac-3": "dac3"}.get(entry.format)
        if due is None:
            faults.add("stsd.format", f"{entry.format!r} is not ec-3 or ac-3")
            return
        codec = "ec-3" if "ec-3" in summary.codecs else "ac-3"
        faults.require(entry.format == codec, "stsd.format", f"{entry.format}, the bitstream is {codec}")
        faults.require(
            entry.data_reference_index == 1, "stsd.data-reference", f"{entry.data_reference_index}"
        )
        faults.require(
            entry.sample_rate == rate, "stsd.sample-rate", f"{entry.sample_rate}, the bitstream has {rate}"
        )
        if entry.version:
            faults.add("stsd.version", f"QuickTime sound description version {entry.version} in an ISO file")
        else:
            # Malformed unless the children fill the entry.
            list(boxes(self._file, entry.box.start + AUDIO_ENTRY_BYTES, entry.box.end))
        if not faults.require(
            entry.children.count(due) == 1,
            "stsd.config",
            f"{entry.children.count(due)} {due} boxes in {entry.format}",
        ):
            return
        if due == "dec3":
            check_dec3(entry.config, summary, faults)
        else:
            check_dac3(entry.config, summary, faults)

    def _track(self) -> AudioTrack:
        tracks = open_media(self._file.path).audio_tracks()
        if not tracks:
            raise Malformed("track.missing", "no audio track")
        return tracks[0]

    def _check_phase(self) -> None:
        if not self._options.sources:
            return
        track = self._track()
        segments = []
        for source, bounds in self._options.sources:
            if bounds is not None:
                segments.append(Segment(source, *bounds))
            elif len(self._options.sources) == 1:
                segments.append(find_segment(track, source, self._mdats))
            else:
                raise Malformed("phase.source", "with more than one --source each needs its --range")
        check_phase(track, segments, self._mdats, self._faults)


def _is_free_mdat_sequence(names: list[bytes]) -> bool:
    """([free] mdat)+"""
    text = "".join({b"free": "f", b"mdat": "m"}.get(name, "x") for name in names)
    return bool(text) and not text.replace("fm", "m").strip("m")
