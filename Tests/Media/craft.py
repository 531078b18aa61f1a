#!/usr/bin/env python3
"""MP4 shapes that ffmpeg will not write, made from elementary streams.

usage: craft.py WORK OUT           every shape of the table at the end, from the streams in OUT and WORK
       craft.py restore-joc FILE   put the JOC bytes that FFmpeg 5.1 leaves out back into FILE's dec3

Unless its purpose says otherwise a shape is: ftyp, moov, mdat; 32 access units in chunks of 8; movie and
media timescale 48000; stts 32 x 1536; constant stsz; stco; no edit list; dec3 as ETSI TS 102 366 F.6 has it.
"""

import sys
from pathlib import Path

from index import declare
from movie import UNKNOWN, Movie, Track, box, full, replaced, u8, u16, u32, u64
from syncframes import units

# dec3 payloads: data_rate 13, num_ind_sub 3 (one less than there are)
#   for each: fscod 2, bsid 5, zero 1, asvc 1, bsmod 3, acmod 3, lfeon 1, zero 3, num_dep_sub 4, then
#             chan_loc 9 with dependents or zero 1 without
#   for JOC:  zero 7, flag 1, complexity 8
JOC = "0280 200f00 0103"
DDP51 = "0280 200f00"
DDP71 = "0480 200f0202"
DDP71_BY_FFMPEG = "0280 200f0210"
DDP2IND = "0381 200f00 200400"
DDP_1BLK = "0600 200400"
DDP_3BLK = "0400 200f00"
DDP20_44K1 = "0100 600400"

ALL = 32 * 1536  # media time of a shape


# Sample entries

def dec3(payload):
    return box("dec3", bytes.fromhex(payload))


def audio_entry(kind, *children, channels=6, rate=48000, version=0, compression=0):
    return box(kind, bytes(6), u16(1, version), bytes(6), u16(channels, 16, compression & 0xFFFF, 0),
               u32(rate << 16), *children)


def ec3(payload=JOC, *more, **fields):
    return audio_entry("ec-3", dec3(payload), *more, **fields)


def quicktime_entry():
    wave = box("wave", box("frma", b"ec-3"), dec3(JOC), box("\0\0\0\0"))
    packet = u32(0, 0, 0, 2)  # samples per packet, bytes per packet, bytes per frame, bytes per sample
    return audio_entry("ec-3", packet, wave, version=1, compression=-2)


def encrypted_entry():
    tenc = full("tenc", 0, 0, u16(0), u8(1, 8), bytes(range(16)))
    sinf = box("sinf", box("frma", b"ec-3"), full("schm", 0, 0, b"cenc", u32(0x10000)), box("schi", tenc))
    return audio_entry("enca", dec3(JOC), sinf)


def btrt():
    return box("btrt", u32(320, 80000, 80000))


def ac4_entry():
    """One stereo presentation, native frame rate (ETSI TS 103 190-2 E.6, E.10)."""
    presentation = bits((31, 5), (0, 3), (0, 1),          # one substream group, mdcompat 0, no id
                        (0, 2), (0, 2), (0, 5), (0, 10),  # frame rate as it is, no EMDF, no key
                        (1, 1), (1, 5), (1, 24),          # channel coded, stereo, mask L/R
                        (0, 1), (0, 1),                   # core does not differ, no filter
                        (1, 1), (0, 1), (1, 1), (1, 8),   # the group: one channel-coded substream
                        (0, 2), (0, 1), (1, 24), (0, 1),  # 48 kHz, no rate, mask L/R, no content type
                        (0, 1), (0, 1), (0, 1), (0, 1))   # not virtualised, no more EMDF, no rate
    head = bits((1, 3), (2, 7), (1, 1), (13, 4), (1, 9), (0, 1), (0, 2), (96000, 32), (0xFFFFFFFF, 32))
    return audio_entry("ac-4", box("dac4", head, u8(1, len(presentation)), presentation), channels=2)


def bits(*fields):
    """(value, width) fields, first bit first, padded to a whole byte."""
    text = "".join(format(value, f"0{width}b") for value, width in fields)
    return int(text.ljust(-(-len(text) // 8) * 8, "0"), 2).to_bytes(-(-len(text) // 8), "big")


# Shapes. Each takes the folder's streams and returns a file.

def plain(stream, payload, channels=6, rate=48000, **fields):
    """The base shape of another stream."""
    entry = ec3(payload, channels=channels, rate=rate)
    return lambda get: Movie([Track(get(stream), [entry], **fields)]).bytes()


def track(**fields):
    """The base shape with other track fields."""
    return lambda get: Movie([Track(get("joc51.ec3"), **{"entries": [ec3()], **fields})]).bytes()


def movie(timescale=48000, **fields):
    """The base shape with other movie fields."""
    return lambda get: Movie([Track(get("joc51.ec3"), [ec3()], timescale=timescale,
                                    deltas=[1536 * timescale // 48000] * 32)],
                             timescale=timescale, **fields).bytes()


def rounded(rate, timescale, count):
    """Deltas of `count` access units whose times were rounded to the timescale one by one."""
    moments = [(2 * unit * 1536 * timescale + rate) // (2 * rate) for unit in range(count + 1)]
    return [after - before for before, after in zip(moments, moments[1:])]


def wide(get):
    return Movie([Track(get("joc51.ec3"), [ec3()], wide_offsets=True)], mdat_size="64").bytes()


def one_chunk(get):
    return Movie([Track(get("joc51.ec3"), [ec3()], per_chunk=32)], moov_last=True).bytes()


def joc_stops(get):
    joc, after = get("joc51.ec3"), get("ddp51.ec3")
    return Movie([Track(joc[:16] + after[16:], [ec3()])]).bytes()


def two_tracks(get):
    disabled = Track(get("ddp51.ec3"), [ec3(DDP51)], id=1, flags=6)
    return Movie([disabled, Track(get("joc51.ec3"), [ec3()], id=5)]).bytes()


def long_headers(get):
    created = 3_786_912_000
    edits = [(32 * 1536 - 256, 256, 1)]
    return Movie([Track(get("joc51.ec3"), [ec3()], version=1, created=created, edits=edits)],
                 version=1, created=created).bytes()


def named(get):
    created = 3_786_912_000  # 2024-01-01 UTC in seconds since 1904
    german = Track(get("joc51.ec3"), [ec3()], language="deu", handler_name="Kerfless test", created=created)
    return Movie([german], created=created + 60).bytes()


def metadata(get):
    title = box("\u00a9nam", box("data", u32(1, 0), b"Kerfless test"))
    meta = full("meta", 0, 0, full("hdlr", 0, 0, u32(0), b"mdir", b"appl", bytes(9)), box("ilst", title))
    note = full("meta", 0, 0, full("hdlr", 0, 0, u32(0), b"kfta", bytes(13)), UNKNOWN)
    described = Track(get("joc51.ec3"), [ec3()],
                      after_mdia=box("udta", box("name", b"English, Atmos"), meta) + note)
    return Movie([described], in_moov=box("udta", meta)).bytes()


def quicktime(get):
    return Movie([Track(get("joc51.ec3"), [quicktime_entry()])], brand="qt  ", compatible="qt  ").bytes()


def unknown_boxes(get):
    return Movie([Track(get("joc51.ec3"), [ec3(JOC, UNKNOWN)])], stray=True).bytes()


def ac4(get):
    # version 2, sequence counter, no wait frames, 48 kHz, native frame rate, I-frame, one presentation
    heads = [bits((2, 2), (unit, 10), (0, 1), (1, 1), (13, 4), (1, 1), (1, 1)) for unit in range(1, 17)]
    frames = [head + bytes(180 + 12 * (unit % 5)) for unit, head in enumerate(heads)]
    return Movie([Track(frames, [ac4_entry()], sizes="table", deltas=[2048] * 16)]).bytes()


def hybrid(**last):
    """16 access units in moov, then two fragments of 8 whose headers say the same in different ways."""
    def shape(get):
        joc = get("joc51.ec3")
        trex = full("trex", 0, 0, u32(1, 1, 1536, 320, 0x02000000))
        mvex = box("mvex", full("mehd", 0, 0, u32(ALL)), trex)
        data = Movie([Track(joc[:16], [ec3()])], compatible="mp42isomiso5dby1", in_moov=mvex).bytes()
        data += terse_fragment(1, 16 * 1536, joc[16:24])
        return data + wordy_fragment(2, 24 * 1536, joc[24:], len(data), **last)
    return shape


def terse_fragment(number, time, fragment):
    """Sizes and durations from trex, offsets from the moof."""
    def moof(offset):
        return box("moof", full("mfhd", 0, 0, u32(number)), box(
            "traf", full("tfhd", 0, 0x020000, u32(1)), full("tfdt", 0, 0, u32(time)),
            full("trun", 0, 0x000001, u32(len(fragment), offset))))
    return moof(len(moof(0)) + 8) + box("mdat", *fragment)


def wordy_fragment(number, time, fragment, at, second_offset=True):
    """Sizes and durations unit by unit in two runs, offsets from an absolute position, 64-bit time. Without
    an offset of its own the second run goes on where the first one ends (ISO/IEC 14496-12, 8.8.8)."""
    def run(flags, offset, part):
        rows = [u32(1536, len(unit)) for unit in part]
        return full("trun", 0, flags | 0x000300, u32(len(part), *offset), *rows)

    def moof(base):
        first, second = fragment[:4], fragment[4:]
        rest = run(0x000001, [len(b"".join(first))], second) if second_offset else run(0, [], second)
        return box("moof", full("mfhd", 0, 0, u32(number)), box(
            "traf", full("tfhd", 0, 0x000001, u32(1), u64(base)), full("tfdt", 1, 0, u64(time)),
            run(0x000001, [0], first), rest))
    return moof(at + len(moof(0)) + 8) + box("mdat", *fragment)


SHAPES = [
    ("joc-base.mp4", track(), "the shape all other joc-*.mp4 depart from", ""),
    # sample sizes and offsets
    ("joc-stsz-table.mp4", track(sizes="table"), "stsz table although all sizes are equal", ""),
    ("joc-stz2-16.mp4", track(sizes="stz2/16"), "stz2, field size 16", ""),
    ("ddp20-stz2-8.mp4", plain("ddp20-44k1.ec3", DDP20_44K1, 2, 44100, sizes="stz2/8", timescale=44100),
     "stz2, field size 8, sizes that alternate", "stereo 44.1 kHz; JOC frames do not fit in 255 bytes"),
    ("joc-co64.mp4", wide, "co64 and a 64-bit mdat header", ""),
    ("joc-mdat-to-end.mp4", movie(mdat_size="to the end"), "mdat of size 0: to the end of the file", ""),
    ("joc-mdats.mp4", movie(mdats=3), "several mdat boxes", "3 mdat"),
    ("joc-gaps.mp4", movie(gap=lambda chunk: 3 + 5 * chunk),
     "bytes that belong to no sample before every chunk", "3, 8, 13, 18 bytes AA"),
    ("joc-one-chunk.mp4", one_chunk, "one chunk, moov after mdat", ""),
    # time
    ("joc-ts90k.mp4", movie(timescale=90000), "movie and media timescale 90000", ""),
    ("joc-ts1000.mp4", movie(timescale=1000), "movie and media timescale 1000",
     "1536 PCM samples are 32 exactly"),
    ("joc-ts600.mp4", track(timescale=600, deltas=rounded(48000, 600, 32)),
     "media timescale 600, rounded deltas", "1536 PCM samples are 19.2"),
    ("ddp20-ts1000.mp4", plain("ddp20-44k1.ec3", DDP20_44K1, 2, 44100, sizes="table", timescale=1000,
                               deltas=rounded(44100, 1000, 32)),
     "media timescale 1000, rounded deltas", "44.1 kHz: 1536 PCM samples are 34.83"),
    ("joc-last-short.mp4", track(deltas=[1536] * 31 + [640]), "the last stts delta is short", ""),
    ("joc-stts-gap.mp4", track(deltas=[1536] * 15 + [3000] + [1536] * 16),
     "a gap in stts", "access unit 15 has 3000"),
    # edit lists
    ("joc-edit-priming.mp4", track(edits=[(ALL - 256, 256, 1)]),
     "one edit that skips 256 samples of priming", ""),
    ("joc-edit-empty.mp4", track(edits=[(24000, -1, 1), (ALL, 0, 1)]),
     "an empty edit of 0.5 s, then all media", ""),
    ("joc-edit-rate2.mp4", track(edits=[(ALL // 2, 0, 2)]), "an edit at rate 2", ""),
    ("joc-edits-3.mp4", track(edits=[(8 * 1536, 0, 1), (6 * 1536, 16 * 1536, 1), (4000, 10 * 1536 + 100, 1)]),
     "three edits, the third goes back", ""),
    # sample entries
    ("joc-2-entries.mp4", track(entries=[ec3(), ec3()], entry_of_chunk=lambda chunk: 1 + chunk // 2),
     "two sample entries, both used", "equal entries; chunks 1-2 use the first, 3-4 the second"),
    ("joc-entry-unused.mp4", track(entries=[ec3(), ec3(DDP51)]),
     "two sample entries, the second is not used", ""),
    ("joc-qt-v1.mov", quicktime, "QuickTime version 1 entry, dec3 in wave{frma dec3 terminator}", ""),
    ("joc-entry-boxes.mp4", track(entries=[audio_entry("ec-3", btrt(), dec3(JOC), UNKNOWN)]),
     "btrt before and an unknown box after dec3", ""),
    ("joc-flag-lost.mp4", track(entries=[ec3(DDP51)]), "dec3 without the JOC bytes over a JOC stream", ""),
    ("joc-wrong-complexity.mp4", track(entries=[ec3("0280 200f00 0110")]),
     "dec3 says complexity 16, the stream 3", ""),
    ("joc-stops.mp4", joc_stops, "JOC ends in mid-stream",
     "access units 0-15 of joc51.ec3, 16-31 of ddp51.ec3"),
    ("joc-enca.mp4", track(entries=[encrypted_entry()]), "encrypted entry: enca{dec3 sinf{frma schm schi}}",
     "the samples are in the clear, only the entry says cenc"),
    ("ac4.mp4", ac4, "ac-4 entry with dac4", "the samples are filler, not AC-4: no decoder plays them"),
    # substreams
    ("ddp71.mp4", plain("ddp71.ec3", DDP71, 8), "7.1 with the right dec3",
     "data_rate of both substreams, chan_loc 002"),
    ("ddp71-ffmpeg-dec3.mp4", plain("ddp71.ec3", DDP71_BY_FFMPEG, 8), "7.1 with the dec3 that FFmpeg writes",
     "data_rate of I0 only, chan_loc 010 (Lsd/Rsd)"),
    ("ddp2ind.mp4", plain("ddp2ind.ec3", DDP2IND), "two programmes in one track", "24 access units"),
    ("ddp-3blk.mp4", plain("ddp-3blk.ec3", DDP_3BLK), "two syncframes a sample", "16 access units"),
    ("ddp-1blk.mp4", plain("ddp-1blk.ec3", DDP_1BLK, 2), "six syncframes a sample", "12 access units"),
    # movies
    ("joc-2-tracks.mp4", two_tracks, "two ec-3 tracks, ids 1 and 5, the first disabled",
     "track 1 is ddp51.ec3"),
    ("joc-v1-headers.mp4", long_headers, "version 1 of mvhd, tkhd, mdhd and elst", "creation times are set"),
    ("joc-unknown-boxes.mp4", unknown_boxes, "unknown boxes, free and uuid in every container", ""),
    ("joc-meta.mp4", metadata, "udta and meta in trak, udta in moov", "udta/meta title 'Kerfless test'"),
    ("joc-named.mp4", named, "language deu, handler name 'Kerfless test', creation times",
     "track 3786912000, movie 3786912060 (2024-01-01)"),
    ("frag-hybrid.mp4", hybrid(), "samples in moov, then two fragments",
     "16 + 8 (trex defaults) + 8 (all in two trun, base_data_offset)"),
    ("frag-no-offset.mp4", hybrid(second_offset=False), "the same; the last trun has no data_offset",
     "FFmpeg 5.1 reads the last run at the base again instead of after the run before"),
]


def craft(work, out):
    def get(stream):
        return units((out / stream).read_bytes())[0][:32]
    for name, shape, purpose, notes in SHAPES:
        (out / name).write_bytes(shape(get))
        declare(work, name, purpose, notes)


def restore_joc(path):
    payload = bytes.fromhex(JOC)
    place = ("moov", "trak", "mdia", "minf", "stbl", "stsd", "ec-3", "dec3")
    path.write_bytes(replaced(path.read_bytes(), place, payload))


if __name__ == "__main__":
    if sys.argv[1] == "restore-joc":
        restore_joc(Path(sys.argv[2]))
    else:
        craft(*map(Path, sys.argv[1:]))
