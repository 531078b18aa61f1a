#!/usr/bin/env bash
# Makes every fixture in this folder, and INDEX.tsv, from synthetic signals: the same bytes every time.
#
# Needs: ffmpeg 5.1 with libx264 (Debian 12: apt install ffmpeg), Python 3.11 or newer, numpy, and the encoder
#        ac3forge 0.10.0b1 (pip install ac3forge==0.10.0b1). Another version of any of them makes other bytes.
# Run:   Tests/Media/make-media.sh          write the fixtures next to this script
#        Tests/Media/make-media.sh FOLDER   write them to FOLDER, to compare
#
# streams.py makes the signals and the streams that ffmpeg does not encode, craft.py the MP4 shapes that it
# does not write, index.py reads all back. movie.py, tracks.py and syncframes.py are what these three share.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1

case $(ffmpeg -version | head -n 1) in
  "ffmpeg version 5.1"*) ;;
  *) echo "make-media.sh: needs ffmpeg 5.1" >&2; exit 1 ;;
esac

# fixture NAME PURPOSE NOTES ARGUMENT...: ffmpeg writes NAME.
fixture() {
  ffmpeg -nostdin -v error -y "${@:4}" -map_metadata -1 -fflags +bitexact -flags:a +bitexact "$out/$1"
  printf '%s\t%s\t%s\n' "$1" "$2" "$3" >> "$work/fixtures.tsv"
}

surround=(-f s16le -ar 48000 -ac 6 -channel_layout 5.1 -i "$work/surround.s16")
short=(-f s16le -ar 48000 -ac 6 -channel_layout 5.1 -i "$work/short.s16")
stereo=(-f s16le -ar 44100 -ac 2 -channel_layout stereo -i "$work/stereo-44k1.s16")
picture=(-f lavfi -i testsrc=size=64x36:rate=25:duration=2)

# Elementary streams
python3 "$here/streams.py" pcm "$work"
fixture ddp51.ec3 'plain 5.1 with mixing and production metadata' 'ffmpeg; dialnorm 27' \
  "${surround[@]}" -c:a eac3 -b:a 80k -dialnorm -27 -dmix_mode loro -ltrt_cmixlev 0.707 -ltrt_surmixlev 0.5 \
  -loro_cmixlev 0.707 -loro_surmixlev 0.5 -mixing_level 105 -room_type small -copyright 1 -f eac3
fixture ddp20-44k1.ec3 'stereo 44.1 kHz: two sizes alternate' 'ffmpeg' \
  "${stereo[@]}" -c:a eac3 -b:a 32k -f eac3
fixture ac3-51.ac3 'AC-3 5.1' 'ffmpeg' "${short[@]}" -c:a ac3 -b:a 96k
python3 "$here/streams.py" encode "$work" "$out"

# MP4 as ffmpeg writes it
ddp51=(-i "$out/ddp51.ec3" -c copy)
joc51=(-i "$out/joc51.ec3")
fixture ddp51.mp4 'plain MP4 of ddp51.ec3, moov last' 'ffmpeg' "${ddp51[@]}"
fixture ddp51-faststart.mp4 'the same with moov first' 'ffmpeg' "${ddp51[@]}" -movflags +faststart
fixture ddp51.mov 'the same in QuickTime: version 1 entry with wave' 'ffmpeg' "${ddp51[@]}"
fixture ddp51-edit-short.mp4 'priming edit that ends 32 PCM samples before the media does' \
  'ffmpeg, from PCM; the edit is rounded down to milliseconds' "${short[@]}" -c:a eac3 -b:a 80k
fixture ddp20-44k1.mp4 'stereo 44.1 kHz: table stsz, irregular stts' 'ffmpeg' -i "$out/ddp20-44k1.ec3" -c copy
fixture ac3.mp4 'AC-3 5.1' 'ffmpeg' -i "$out/ac3-51.ac3" -c copy
fixture av-joc.mp4 'H.264 with B-frames and JOC, short chunks, moov last' \
  'ffmpeg 5.1 leaves the JOC bytes out of dec3; craft.py put them back' \
  "${picture[@]}" "${joc51[@]}" -map 0 -map 1 -c:a copy -c:v libx264 -x264-params threads=1 -g 25 -bf 2 \
  -crf 40 -flags:v +bitexact
python3 "$here/craft.py" restore-joc "$out/av-joc.mp4"
fixture av-ddp51.mp4 'MPEG-4 video and plain 5.1, short chunks, moov first' 'ffmpeg' \
  "${picture[@]}" "${ddp51[@]}" -map 0 -map 1 -c:v mpeg4 -q:v 20 -g 25 -threads:v 1 -flags:v +bitexact -t 2 \
  -movflags +faststart
fixture frag.mp4 'fragmented: empty moov tables, fragments of 0.5 s, mfra' 'ffmpeg' \
  "${ddp51[@]}" -movflags +delay_moov+default_base_moof -frag_duration 500000

# MP4 as ffmpeg does not
python3 "$here/craft.py" "$work" "$out"
python3 "$here/index.py" "$work" "$out"
