#!/usr/bin/env python3
"""Independent judge of Kerfless's outputs. It shares nothing with Kerfless but the specifications.

  judge.py units FILE [--track ID] [--range A:B] [--json]
  judge.py payload OUT [--track ID] (--of SOURCE [--track ID] [--range A:B]...)...
  judge.py structure OUT [--no-edit] [--allow-mixed-joc] [--json]
                         (--source SOURCE [--track ID] [--range A:B]...)...
  judge.py facts FILE [--json]

A:B counts access units from 0, half-open; without B to the end. --track and --range belong to the file in
front of them; several --range behind one source are several segments of it, none means all of it (structure:
the range is looked for by content).

Exit code: 0 right, 1 wrong (a line for each fault on stdout: a stable code, a colon, what is wrong),
2 usage, or a file that cannot be opened.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bitstream import PCM_PER_UNIT, describe, parse_access_unit
from codecconfig import BitstreamSummary
from common import Faults, Malformed
from isomedia import Track
from media import AudioTrack, ElementaryTrack, Media, open_media
from payload import Segment, check_payload
from structure import Options, check_structure

RIGHT, WRONG, USAGE = 0, 1, 2

Range = tuple[int, int | None]


@dataclass(slots=True)
class SourceArgument:
    """A source on the command line, with the options that follow it."""

    path: str
    track: int | None = None
    ranges: list[Range] = field(default_factory=list)


class _Source(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        namespace.sources = [*namespace.sources, SourceArgument(values)]


class _OfLastSource(argparse.Action):
    """--track and --range: of the last source, else of the file that is judged."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        sources = getattr(namespace, "sources", [])
        if option_string == "--track":
            (sources[-1] if sources else namespace).track = values
        elif sources:
            sources[-1].ranges.append(values)
        elif hasattr(namespace, "sources"):
            parser.error("--range must follow a source")
        else:
            namespace.range = values


def _range(text: str) -> Range:
    first, colon, last = text.partition(":")
    if not colon or any(part and not (part.isascii() and part.isdigit()) for part in (first, last)):
        raise argparse.ArgumentTypeError(f"{text!r} is not A:B")
    start, end = int(first or 0), int(last) if last else None
    if end is not None and end < start:
        raise argparse.ArgumentTypeError(f"{text!r} is inverted")
    return start, end


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="judge.py",
        description=__doc__,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)

    def add(
        name: str,
        text: str,
        sources: str | None = None,
        track: bool = True,
        as_json: bool = True,
        range_: bool = True,
    ) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        command.add_argument("file")
        if sources:
            command.add_argument(sources, action=_Source, dest="sources", default=[], metavar="SOURCE")
        if track:
            command.add_argument("--track", action=_OfLastSource, type=int, metavar="ID")
        if range_:
            command.add_argument("--range", action=_OfLastSource, type=_range, metavar="A:B")
        if as_json:
            command.add_argument("--json", action="store_true")
        return command

    add("units", "index, offset, size and SHA-256 of every access unit")
    add(
        "payload",
        "prove that an output holds exactly these access units of its sources",
        "--of",
        as_json=False,
    )
    structure = add("structure", "check an output's layout, bitstream and codec config", "--source")
    structure.add_argument("--no-edit", action="store_true", help="there must be no edit list")
    structure.add_argument(
        "--allow-mixed-joc", action="store_true", help="JOC in some access units only is no fault"
    )
    add("facts", "what every audio track holds", track=False, range_=False)
    return parser


# --- units --------------------------------------------------------------------------------------------------


def command_units(arguments: argparse.Namespace) -> int:
    track = open_media(arguments.file).track(arguments.track)
    fault: Malformed | None = None
    listed: list[dict[str, Any]] = []
    try:
        for number, offset, size in track.units(*(arguments.range or (0, None))):
            digest = hashlib.sha256(track.read(offset, size)).hexdigest()
            if arguments.json:
                listed.append({"index": number, "offset": offset, "size": size, "sha256": digest})
            else:
                print(number, offset, size, digest)
    except Malformed as error:
        fault = error
    if arguments.json:
        head = {"file": arguments.file, "track": track.id, "byteSwapped": track.swapped}
        print(json.dumps({**head, "units": listed, "fault": str(fault) if fault else None}))
    elif fault:
        print(fault)
    if isinstance(track, ElementaryTrack) and track.tail_fault:
        left_out = f"{track.tail_bytes} bytes behind the last whole access unit are left out"
        print(f"note: {left_out} ({track.tail_fault})", file=sys.stderr)
    return WRONG if fault else RIGHT


# --- payload ------------------------------------------------------------------------------------------------


def _segments(sources: Iterable[SourceArgument]) -> list[Segment]:
    segments: list[Segment] = []
    for source, track in _opened(sources):
        segments += [Segment(track, start, end) for start, end in source.ranges or [(0, None)]]
    return segments


def _opened(sources: Iterable[SourceArgument]) -> Iterator[tuple[SourceArgument, AudioTrack]]:
    """Each source with its track; one file is opened once, so that its segments are seen to share it."""
    media: dict[str, Media] = {}
    for source in sources:
        path = os.path.realpath(source.path)
        if path not in media:
            media[path] = open_media(source.path)
        yield source, media[path].track(source.track)


def command_payload(arguments: argparse.Namespace) -> int:
    faults = Faults()
    try:
        check_payload(open_media(arguments.file).track(arguments.track), _segments(arguments.sources), faults)
    except Malformed as error:
        faults.add_malformed(error)
    return _report(faults)


def _report(faults: Faults) -> int:
    for line in faults.lines():
        print(line)
    return WRONG if faults else RIGHT


# --- structure ----------------------------------------------------------------------------------------------


def command_structure(arguments: argparse.Namespace) -> int:
    faults = Faults()
    facts: dict[str, object] = {}
    try:
        options = Options(no_edit=arguments.no_edit, allow_mixed_joc=arguments.allow_mixed_joc)
        for source, track in _opened(arguments.sources):
            options.sources += [(track, bounds) for bounds in source.ranges] or [(track, None)]
        facts = check_structure(arguments.file, options, faults)
    except Malformed as error:
        faults.add_malformed(error)
    if not arguments.json:
        return _report(faults)
    print(
        json.dumps(
            {"file": arguments.file, "right": not faults, "faults": faults.entries(), **facts}, indent=1
        )
    )
    return WRONG if faults else RIGHT


# --- facts --------------------------------------------------------------------------------------------------


def command_facts(arguments: argparse.Namespace) -> int:
    media = open_media(arguments.file)
    facts: dict[str, Any] = {"file": arguments.file, "bytes": media.file.size, "container": media.container}
    if media.movie is not None:
        facts["movieTimescale"] = media.movie.timescale
        facts["movieDuration"] = media.movie.duration
    tracks = [track_facts(track) for track in media.audio_tracks()]
    if arguments.json:
        print(json.dumps({**facts, "tracks": tracks}, indent=1))
        return RIGHT
    for key, value in facts.items():
        print(f"{key}: {value}")
    for number, track in enumerate(tracks):
        print(f"track {number}")
        for key, value in track.items():
            print(f"  {key}: {json.dumps(value)}")
    return RIGHT


def track_facts(track: AudioTrack) -> dict[str, Any]:
    """What a track's container says, and for (E-)AC-3 what all its access units say."""
    summary, first_fault = _summarise(track)
    facts = _container_facts(track) if isinstance(track, Track) else _stream_facts(track)
    if facts["codec"] is None and summary.codecs:
        facts["codec"] = "ec-3" if "ec-3" in summary.codecs else "ac-3"
    count, sizes, rate = track.count, summary.sizes, summary.sample_rate
    return facts | {
        "byteSwapped": track.swapped,
        "accessUnits": count,
        "accessUnitBytes": next(iter(sizes)) if len(sizes) == 1 else None,
        "sampleRate": rate,
        "pcmSamples": PCM_PER_UNIT * count if rate else None,
        "dataRate": round(summary.kbps(summary.bytes / count), 3) if rate and count else None,
        "maximumDataRate": round(summary.kbps(max(sizes)), 3) if rate and sizes else None,
        "joc": {
            "coverage": sum(n for c, n in summary.joc.items() if c is not None),
            "complexities": {str(c): n for c, n in summary.joc.items() if c is not None},
            "invalid": summary.joc_invalid,
        },
        "substreams": describe(summary.structure) if summary.structure else [],
        "structures": [
            {"first": first, "count": summary.structure_counts[structure], "substreams": describe(structure)}
            for structure, first in summary.structures.items()
        ],
        "incompleteAccessUnits": summary.incomplete,
        "unreadableAccessUnits": summary.unreadable,
        "firstFault": first_fault,
    }


def _summarise(track: AudioTrack) -> tuple[BitstreamSummary, str | None]:
    """All access units of a track and the first fault in them. Of other codecs only the sizes."""
    summary = BitstreamSummary()
    first_fault: str | None = None
    is_dolby = isinstance(track, ElementaryTrack) or track.is_dolby
    try:
        for number, offset, size in track.units():
            if not is_dolby:
                summary.sizes.add(size)
                continue
            try:
                summary.add(number, size, parse_access_unit(track.read(offset, size)))
            except Malformed as error:
                summary.add_unreadable(size)
                first_fault = first_fault or f"AU {number}: {error}"
    except Malformed as error:
        first_fault = first_fault or str(error)
    return summary, first_fault


def _container_facts(track: Track) -> dict[str, Any]:
    entry = track.entries[0] if track.entries else None
    return {
        "id": track.id,
        "enabled": track.enabled,
        "codec": entry.format if entry else None,
        "originalFormat": entry.original_format if entry else None,
        "sampleEntries": len(track.entries),
        "sampleEntryVersion": entry.version if entry else None,
        "channelCount": entry.channelcount if entry else None,
        "configType": entry.config_type if entry else None,
        "config": entry.config.hex() if entry and entry.config_type else None,
        "timescale": track.timescale,
        "mediaDuration": track.media_duration,
        "stts": {"entries": track.durations, "sum": sum(count * delta for count, delta in track.durations)},
        "elst": (
            None
            if track.edits is None
            else [
                {"segmentDuration": e.segment_duration, "mediaTime": e.media_time, "rate": e.rate / 65536}
                for e in track.edits
            ]
        ),
    }


def _stream_facts(track: ElementaryTrack) -> dict[str, Any]:
    names = ("id", "codec", "configType", "config", "timescale", "stts", "elst")
    return {name: None for name in names} | {"headBytes": track.start, "tailBytes": track.tail_bytes}


COMMANDS = {
    "units": command_units,
    "payload": command_payload,
    "structure": command_structure,
    "facts": command_facts,
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.command == "payload" and not arguments.sources:
        parser.error("payload needs --of SOURCE")
    try:
        return COMMANDS[arguments.command](arguments)
    except Malformed as error:
        print(error)
        return WRONG
    except OSError as error:
        print(error, file=sys.stderr)
        return USAGE


if __name__ == "__main__":
    sys.exit(main())
