#!/usr/bin/env python3
"""Synthetic PCM, and the elementary streams that ffmpeg does not encode.

usage: streams.py pcm WORK        raw 16-bit PCM for ffmpeg to encode
       streams.py encode WORK OUT streams encoded by ac3forge, or put together from those already in OUT

All signals are integer arithmetic, so the encoders see the same samples on every machine. Pitch and level
change from access unit to access unit, hence no two access units of a stream have the same bytes.
"""

import sys
from pathlib import Path

import ac3forge
import numpy
from ac3forge import Acmod, AtmosConfig, AtmosEncoder, ObjectPlacement, Position, SampleRate, eac3

from index import declare
from syncframes import SAMPLES_PER_UNIT, swapped, syncframe, units

DIALNORM = 27


# Signals

def triangles(channels, rate, count):
    """A triangle wave a channel, `count` samples long, as int16 rows: a new pitch and level every 1536."""
    unit = numpy.arange(count) // SAMPLES_PER_UNIT
    rows = []
    for channel in range(channels):
        pitch = 90 * (channel + 2) + 37 * (unit * (channel + 3) % 29)
        phase = numpy.cumsum(pitch) % rate
        wave = numpy.abs(4 * phase - 2 * rate) - rate  # -rate ... +rate
        level = 1500 + 450 * (unit * (2 * channel + 5) % 11)
        rows.append(wave * level // rate)
    return numpy.stack(rows).astype(numpy.int16)


def blocks(channels, rate, count, length=SAMPLES_PER_UNIT):
    """The same signal as float rows, `count` pieces of `length` samples: what ac3forge takes."""
    signal = triangles(channels, rate, count * length).astype(numpy.float32) / 32768
    return [numpy.ascontiguousarray(signal[:, n * length:(n + 1) * length]) for n in range(count)]


def write_pcm(work):
    for name, channels, rate, count in PCM:
        (work / name).write_bytes(triangles(channels, rate, count).T.astype("<i2").tobytes())


# Streams by ac3forge

def atmos(objects, kbps, count):
    """Objects that circle the room above a 5.1 bed, as JOC side data in 5.1 syncframes."""
    encoder = AtmosEncoder(AtmosConfig(bitrate_kbps=kbps, dialnorm=DIALNORM), objects)
    return b"".join(encoder.encode_frame(pcm, [place(n, number) for number in range(objects)])
                    for n, pcm in enumerate(blocks(objects, 48000, count)))


def place(unit, number):
    x, y = (unit + 5 * number) % 16 / 16, (unit + 3 * number) % 8 / 8
    return ObjectPlacement(position=Position(x=x, y=y, z=0.25))


def independent(channels, frames, **config):
    """Syncframes of one independent substream. ac3forge gives a frame the size that its rate has with six
    blocks, so one-block frames make six times the rate."""
    encoder = eac3.FrameEncoder(eac3.FrameConfig(dialnorm=DIALNORM, **config))
    rate = ac3forge.sample_rate_hz(encoder.config.sample_rate)
    return [encoder.encode_frame(pcm) for pcm in blocks(channels, rate, frames, encoder.samples_per_frame)]


def surround(frames, kbps, **config):
    return independent(6, frames, acmod=Acmod.k3_2, lfe=True, bitrate_kbps=kbps, **config)


def stereo(frames, kbps, **config):
    return independent(2, frames, acmod=Acmod.k2_0, lfe=False, bitrate_kbps=kbps, **config)


def dual_mono(frames, kbps):
    """Two mono programmes in one frame: acmod 0, with a dialnorm for each."""
    return independent(2, frames, acmod=Acmod.kDualMono, lfe=False, bitrate_kbps=kbps, dialnorm2=24)


def with_dependent(count):
    """7.1: I0 is 5.1, D0 carries Ls Rs Lrs Rrs (chanmap 1A00). ac3forge takes the ten coded channels."""
    config = eac3.access_unit_config_for_layout(eac3.LayoutId.k71, 80, 64)
    encoder = eac3.AccessUnitEncoder(config)
    return b"".join(encoder.encode_access_unit(pcm).bytes
                    for pcm in blocks(encoder.channel_count, 48000, count))


def two_programmes(count):
    """I0 is 5.1, I1 is a stereo programme of its own."""
    return b"".join(a + b for a, b in zip(surround(count, 80), stereo(count, 32, substreamid=1)))


def core_with_dependent(core, stream):
    """The AC-3 frames of `core`, each followed by the dependent substream of an access unit of `stream`."""
    dependents = [unit[syncframe(unit).size:] for unit in units(stream)[0]]
    return b"".join(a + b for a, b in zip(units(core)[0], dependents))


def variable_rate(count):
    """Five encoders hear the same signal; each access unit comes from another one."""
    choices = [surround(count, kbps) for kbps in (64, 80, 112, 96, 160)]
    return b"".join(choices[n * n % 7 % 5][n] for n in range(count))


# Streams made of others

def tagged(stream):
    """An ID3v2.4 tag with a title in front."""
    text = b"\x03Kerfless test"
    frame = b"TIT2" + syncsafe(len(text)) + b"\0\0" + text
    padding = bytes(200)
    return b"ID3\x04\0\0" + syncsafe(len(frame + padding)) + frame + padding + stream


def syncsafe(value):
    return bytes(value >> shift & 127 for shift in (21, 14, 7, 0))


def first(count, stream):
    return b"".join(units(stream)[0][:count])


def torn(stream):
    """The last access unit ends after 100 of its bytes."""
    return stream[:-len(units(stream)[0][-1]) + 100]


PCM = [
    ("surround.s16", 6, 48000, 94 * SAMPLES_PER_UNIT),
    ("short.s16", 6, 48000, 48000),
    ("stereo-44k1.s16", 2, 44100, 88 * SAMPLES_PER_UNIT),
]

STREAMS = [
    ("joc51.ec3", lambda out: atmos(2, 80, 64),
     "JOC in a 5.1 bed, addbsi 01 03 in every frame",
     "2 objects + LFE; ac3forge accepts no lower rate for this signal"),
    ("ddp71.ec3", lambda out: with_dependent(24), "dependent substream: I0 5.1 + D0 chanmap 1A00",
     "ac3forge; syncframes of 320 and 256 bytes"),
    ("ddp2ind.ec3", lambda out: two_programmes(24), "two programmes: I0 5.1 + I1 stereo",
     "ac3forge; syncframes of 320 and 128 bytes"),
    ("ddp-3blk.ec3", lambda out: b"".join(surround(32, 64, numblkscod=2)),
     "numblkscod 2: two syncframes an access unit", "ac3forge; 256 bytes a syncframe, convsync 1 0"),
    ("ddp-1blk.ec3", lambda out: b"".join(stereo(72, 32, numblkscod=0)),
     "numblkscod 0: six syncframes an access unit", "ac3forge; 128 bytes a syncframe, convsync 1 0 0 0 0 0"),
    ("ddp-vbr.ec3", lambda out: variable_rate(32), "access units of five sizes",
     "ac3forge, five encoders in turn"),
    ("ddp20-24k.ec3", lambda out: b"".join(stereo(24, 32, sample_rate=SampleRate.k24000)),
     "fscod 3 with fscod2 0: half the sample rate", "ac3forge; no FFmpeg decodes reduced sample rates"),
    ("ddp20-22k05.ec3", lambda out: b"".join(stereo(24, 32, sample_rate=SampleRate.k22050)),
     "fscod 3 with fscod2 1", "ac3forge"),
    ("ddp20-16k.ec3", lambda out: b"".join(stereo(24, 32, sample_rate=SampleRate.k16000)),
     "fscod 3 with fscod2 2", "ac3forge"),
    ("ddp-dual-mono.ec3", lambda out: b"".join(dual_mono(24, 64)),
     "acmod 0: two mono channels", "ac3forge; 256 bytes a syncframe"),
    ("ac3-core-71.ec3", lambda out: core_with_dependent((out / "ac3-51.ac3").read_bytes(),
                                                        (out / "ddp71.ec3").read_bytes()),
     "AC-3 core with an E-AC-3 dependent substream", "syncframes of ac3-51.ac3 and the D0 of ddp71.ec3"),
    ("ac3-51-swapped.ac3", lambda out: swapped(first(24, (out / "ac3-51.ac3").read_bytes())),
     "AC-3 with the bytes of every 16-bit word swapped", ""),
    ("ddp51-id3.ec3", lambda out: tagged(first(24, (out / "ddp51.ec3").read_bytes())),
     "ID3v2.4 tag in front of the first access unit", "234 bytes of tag"),
    ("ddp51-torn.ec3", lambda out: torn(first(24, (out / "ddp51.ec3").read_bytes())),
     "the file ends inside the last access unit", "100 bytes of a 24th access unit are left over"),
]


def encode(work, out):
    if ac3forge.__version__ != "0.10.0b1":
        sys.exit(f"streams.py: needs ac3forge 0.10.0b1, found {ac3forge.__version__}")
    for name, stream, purpose, notes in STREAMS:
        (out / name).write_bytes(stream(out))
        declare(work, name, purpose, notes)


if __name__ == "__main__":
    {"pcm": write_pcm, "encode": encode}[sys.argv[1]](*map(Path, sys.argv[2:]))
