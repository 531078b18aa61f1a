"""Opens any input by content, and reads elementary streams as a track of access units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bitstream import BLOCKS_PER_UNIT, PROLOGUE_BYTES, SWAPPED_SYNC_WORD, SYNC_WORD, Prologue, parse_prologue
from common import FileBytes, Malformed, swap_words
from isomedia import Movie, Track, Unit, is_iso_media, read_movie


class ElementaryTrack:
    """The access units of an elementary stream.

    They are found by walking the syncframes from the front, never further than is asked for. What follows the
    last whole access unit is the tail: a torn access unit, or no bitstream.
    """

    id = None

    def __init__(self, file: FileBytes, start: int, swapped: bool) -> None:
        self.file = file
        self.start = start
        self.swapped = swapped
        self.tail_offset: int | None = None  # known after a walk to the end
        self.tail_fault: Malformed | None = None  # why the walk ended before the end of the file
        self._count: int | None = None

    @property
    def count(self) -> int:
        if self._count is None:
            self._count = sum(1 for _ in self.units())
        return self._count

    @property
    def tail_bytes(self) -> int | None:
        """What follows the last whole access unit; None before a walk to the end."""
        return None if self.tail_offset is None else self.file.size - self.tail_offset

    def read(self, offset: int, size: int) -> bytes:
        """Bytes as a big-endian bitstream. `offset` is an even distance behind the start of the stream."""
        data = self.file.read(offset, size)
        return swap_words(data) if self.swapped else data

    def units(self, start: int = 0, end: int | None = None) -> Iterator[Unit]:
        """The access units start..<end; to the last whole one without `end`."""
        if end is not None and end <= start:
            return
        for unit in self._walk():
            if unit.number >= start:
                yield unit
            if unit.number + 1 == end:
                return

    def _prologue(self, offset: int) -> Prologue:
        data = self.file.peek(offset, PROLOGUE_BYTES)
        return parse_prologue(swap_words(data) if self.swapped else data)

    def _walk(self) -> Iterator[Unit]:
        """An I0 opens an access unit when the one before it has six blocks.

        Inside one, blocks are counted for each substream, so that an end of file between I0 and D0 is seen as
        what it is: the last access unit must have the substreams of the one before it.
        """
        offset = unit_start = self.start
        index = 0
        blocks: dict[tuple[int, str], int] = {}
        previous: dict[tuple[int, str], int] = {}
        programme = 0
        torn = False
        while True:
            try:
                frame = self._prologue(offset)
            except Malformed as error:
                self.tail_fault = error
                break
            if not frame.is_dependent:
                programme = frame.substreamid
            if frame.opens_set and blocks.get((0, "I0"), 0) >= BLOCKS_PER_UNIT:
                yield Unit(index, unit_start, offset - unit_start)
                index, unit_start, previous, blocks = index + 1, offset, blocks, {}
            if not frame.opens_set and not blocks:
                raise Malformed("stream.start", f"{frame.name} at offset {offset} belongs to no access unit")
            if offset + frame.size > self.file.size:
                self.tail_fault = Malformed("syncframe.short", f"{frame.name} at offset {offset} is cut off")
                torn = bool(blocks)
                break
            key = (programme, frame.name)
            blocks[key] = blocks.get(key, 0) + frame.blocks
            if blocks[key] > BLOCKS_PER_UNIT:
                raise Malformed(
                    "stream.blocks",
                    f"{blocks[key]} blocks of {frame.name} in the access unit at offset {unit_start}",
                )
            offset += frame.size
        whole = (
            bool(blocks)
            and not torn
            and blocks.get((0, "I0")) == BLOCKS_PER_UNIT
            and all(blocks.get(key) == BLOCKS_PER_UNIT for key in (previous or blocks))
        )
        if whole:
            yield Unit(index, unit_start, offset - unit_start)
            index, unit_start = index + 1, offset
        if unit_start >= self.file.size:
            self.tail_fault = None
        elif offset == self.file.size:
            self.tail_fault = Malformed("au.torn", f"the access unit at offset {unit_start} lacks syncframes")
        self.tail_offset = unit_start
        self._count = index


AudioTrack = Track | ElementaryTrack


@dataclass(slots=True)
class Media:
    """An opened file: a movie, or an elementary stream (then `movie` is None)."""

    file: FileBytes
    movie: Movie | None
    elementary: ElementaryTrack | None

    @property
    def container(self) -> str:
        if self.movie is None:
            return "elementary-stream"
        return "fragmented-mp4" if self.movie.fragmented else "mp4"

    def audio_tracks(self) -> list[AudioTrack]:
        if self.elementary is not None:
            return [self.elementary]
        return [track for track in self.movie.tracks if track.handler == "soun"] if self.movie else []

    def track(self, track_id: int | None) -> AudioTrack:
        """The track of that id; without one the only Dolby track, else the first enabled of several."""
        if self.elementary is not None:
            return self.elementary
        tracks = self.movie.tracks if self.movie else []
        if track_id is not None:
            found = [track for track in tracks if track.id == track_id]
        else:
            dolby = [track for track in tracks if track.is_dolby]
            found = [track for track in dolby if track.enabled] or dolby
        if not found:
            what = "Dolby track" if track_id is None else f"track {track_id}"
            raise Malformed("track.missing", f"no {what} in {self.file.path}")
        return found[0]


def open_media(path: str) -> Media:
    """Told by content, not by name. OSError when it cannot be opened, Malformed when it is neither kind."""
    file = FileBytes(path)
    if is_iso_media(file):
        return Media(file, read_movie(file), None)
    start = _behind_id3(file)
    word = file.peek(start, 2)
    if word not in (SYNC_WORD, SWAPPED_SYNC_WORD):
        raise Malformed("file.kind", f"{path} is neither an ISO file nor an (E-)AC-3 stream")
    return Media(file, None, ElementaryTrack(file, start, word == SWAPPED_SYNC_WORD))


def _behind_id3(file: FileBytes) -> int:
    """The offset behind ID3v2 tags: 10 bytes, the size (4 x 7 bits), and 10 bytes of footer if flagged."""
    start = 0
    while file.peek(start, 3) == b"ID3" and start + 10 <= file.size:
        flags, *size = file.unpack("5B", start + 5)
        start += 10 + (size[0] << 21 | size[1] << 14 | size[2] << 7 | size[3]) + (10 if flags & 0x10 else 0)
    return start
