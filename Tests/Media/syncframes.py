"""Where AC-3 and E-AC-3 syncframes begin and end, and how they gather into access units (A/52, Annex E)."""

from dataclasses import dataclass

SAMPLES_PER_UNIT = 1536
RATES = (48000, 44100, 32000)
AC3_KBPS = (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640)


@dataclass
class Syncframe:
    size: int
    rate: int
    blocks: int
    starts_programme: bool  # independent substream 0: the frame that may open an access unit


def syncframe(data, at=0):
    """The syncframe at `at`, or None where there is none or where it is cut short."""
    head = data[at:at + 6]
    if len(head) < 6 or head[:2] != b"\x0b\x77":
        return None
    frame = eac3(head) if head[5] >> 3 > 10 else ac3(head)
    return frame if at + frame.size <= len(data) else None


def eac3(head):
    stream_type, substream = head[2] >> 6, head[2] >> 3 & 7
    size = 2 * (((head[2] & 7) << 8 | head[3]) + 1)
    rate_code, second_code = head[4] >> 6, head[4] >> 4 & 3
    half_rate = rate_code == 3
    rate = RATES[second_code] // 2 if half_rate else RATES[rate_code]
    blocks = 6 if half_rate else (1, 2, 3, 6)[second_code]
    return Syncframe(size, rate, blocks, stream_type != 1 and substream == 0)


def ac3(head):
    rate_code, size_code = head[4] >> 6, head[4] & 63
    kbps = AC3_KBPS[size_code >> 1]
    words = (2 * kbps, 320 * kbps // 147 + (size_code & 1), 3 * kbps)[rate_code]
    return Syncframe(2 * words, RATES[rate_code], 6, True)


def units(stream):
    """The whole access units of an elementary stream, in order, and the bytes left over."""
    found, current, blocks, at = [], b"", 0, 0
    while frame := syncframe(stream, at):
        if frame.starts_programme and blocks == 6:
            found, current, blocks = found + [current], b"", 0
        if frame.starts_programme:
            blocks += frame.blocks
        current += stream[at:at + frame.size]
        at += frame.size
    if blocks == 6:
        found, current = found + [current], b""
    return found, len(current) + len(stream) - at


def swapped(stream):
    """Both bytes of every 16-bit word change places."""
    out = bytearray(stream)
    out[0::2], out[1::2] = stream[1::2], stream[0::2]
    return bytes(out)
