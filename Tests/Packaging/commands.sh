# The commands that a packaged kerfless must be able to run, on sources in in/, with outputs in out/ (sh, POSIX).
#
# usage: sh commands.sh RUN…     RUN is what a command line begins with: the binary, or what runs it inside something.
#
# Everything is made twice over the life of a journal, and proven equal to its sources by kerfless itself.
set -eu

run() { "$@" > "$log" 2>&1 || { echo "failed: $*"; cat "$log"; exit 1; }; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT

run "$@" --version
run "$@" help --page kerfless.1
run "$@" inspect --scan --json in/av-joc.mp4
run "$@" trim in/av-joc.mp4 --start 0.5 --end 1.5 -o out/clip.mp4
run "$@" verify out/clip.mp4 --source in/av-joc.mp4@0.5-1.5
run "$@" trim in/av-joc.mp4 --start 0.5 --end 1.5 --cut exact -o out/exact.mp4
run "$@" verify out/exact.mp4 --source in/av-joc.mp4@0.5-1.5
run "$@" concat in/av-joc.mp4@1-1.5 in/av-joc.mp4@0-0.5 -o out/joined.mp4
run "$@" verify out/joined.mp4 --source in/av-joc.mp4@1-1.5 --source in/av-joc.mp4@0-0.5
run "$@" split in/av-joc.mp4 --every 0.5 -o out/piece-%d.mp4
run "$@" extract in/av-joc.mp4 -o out/stream.ec3
run "$@" mux out/stream.ec3 -o out/muxed.mp4
run "$@" repair in/joc-flag-lost.mp4 -o out/mended.mp4
run "$@" trim in/av-joc.mp4 --end 1 -o out/clip.mp4 --force
run "$@" batch check in/jobs.jsonl --root .
run "$@" batch pack in/jobs.jsonl --root . --by-source -o out/jobs.lz4
run "$@" batch run out/jobs.lz4 --root . --journal out/journal --resume --metrics out/kerfless.prom
grep -q '3 done, 0 failed' "$log" || { cat "$log"; exit 1; }
run "$@" batch run out/jobs.lz4 --root . --journal out/journal --resume
grep -q '3 done before' "$log" || { cat "$log"; exit 1; }
run "$@" verify out/batch/joined.mp4 --source in/av-joc.mp4@0-0.5 --source in/av-joc.mp4@1-1.5
run "$@" clean out
