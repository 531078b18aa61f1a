/// What a command's manual page says beside what help says.
struct Manual: Sendable {
  /// Paragraphs, an empty line between two.
  let description: String
  /// Command lines, and in front of each what it does, as a comment.
  let examples: String
}

extension Manual {
  static let inspect = Manual(
    description: """
      Prints the tracks of each file: codec, access units, layout, joint object coding (JOC), edit list, and what is \
      wrong with them. Whether a file is MP4, fragmented MP4 or an elementary stream is told by its content, not by \
      its name.

      Without --scan only a track's first access unit is looked at, and the report says so. Findings do not change the \
      exit status; see kerfless-verify for a verdict.
      """,
    examples: """
      # what is in a file
      kerfless inspect film.mp4
      # the same for a program
      kerfless inspect --json film.mp4 | jq '.tracks[] | {id, codec, joc}'
      # joint object coding in how many access units, and every checksum
      kerfless inspect --scan film.mp4
      """)

  static let trim = Manual(
    description: """
      Writes a range of one track into a file of its own. No frame is decoded or changed. The suffix of the output's \
      name says what it shall be: .mp4 and .m4a are MP4 files; .ec3, .eac3 and .ac3 are elementary streams.

      A frame cut takes the whole access units (32 ms at 48 kHz) from the one that holds the start, up to but not \
      including the one that holds the end, so that ranges that meet tile. An exact cut presents exactly the asked PCM \
      samples: it takes the access units that hold them and some in front that prime the decoder, and hides the \
      surplus by an edit list.

      The output is there whole under its name, or it is not there: it gets its name when it is complete. With \
      --force it keeps the mode of the file that it replaces, not its owner.
      """,
    examples: """
      # ten seconds out of a film, audio only
      kerfless trim film.mp4 --start 00:01:05 --duration 10 -o clip.mp4
      # the same, to the PCM sample
      kerfless trim film.mp4 --start 65.123 --duration 10 --cut exact -o clip.mp4
      # what would be done
      kerfless trim film.mp4 --start 65 --end 75 -o other.mp4 --dry-run --json
      # into a pipe
      kerfless trim film.mp4 --end 5 -o - --format mp4 | upload
      """)

  static let concat = Manual(
    description: """
      Writes segments one behind another into one file. They must agree in codec, sample rate, bit rate, substreams and \
      joint object coding; otherwise the first difference is named and nothing is written.

      Joined by frame cuts, the output has exactly the access units of its segments. Joined exactly, the first start and \
      the total length are exact, and each joint lies within half an access unit of its place, however many there are.
      """,
    examples: """
      # ranges of several files, or of one
      kerfless concat a.mp4@0-3 b.mp4 a.mp4@10- -o reel.mp4
      """)

  static let split = Manual(
    description: """
      Cuts a track, or a range of it, into pieces of one length; the last may be shorter. The source is opened once. \
      Pieces that are there already are refused unless --force is given. The folder that they go to must be there.

      Pieces that are cut exactly can be joined exactly again: a rest of less than one access unit is no piece, but makes \
      the last one longer.
      """,
    examples: """
      # pieces of ten seconds
      mkdir -p clips
      kerfless split film.mp4 --every 10 -o 'clips/%06d.mp4'
      """)

  static let extract = Manual(
    description: """
      Writes the syncframes of a track or range as they are, without a container. An elementary stream holds no edit \
      list, so an exact cut into one is refused.
      """,
    examples: """
      # an elementary stream out of a film
      kerfless extract film.mp4 -o film.ec3
      """)

  static let mux = Manual(
    description: """
      Puts an elementary stream, or a range of it, into an MP4 file. The codec configuration (dec3 or dac3) is made \
      from the bitstream. Such a stream has no index, so all its frame headers are read once.
      """,
    examples: """
      # an elementary stream into MP4
      kerfless mux film.ec3 -o film.mp4
      """)

  static let verify = Manual(
    description: """
      Gives one verdict a file: right, wrong, or unchecked where nothing is wrong and no access unit could be looked \
      at. It looks at how boxes nest and agree, at every syncframe's checksum and structure, and at dec3 or dac3 against \
      the bitstream. Notes never count; one warning or error makes a file wrong.

      With --source the payload is also proven equal to ranges of the sources, access unit by access unit, and a file with \
      an edit list must present exactly the asked PCM samples.

      All files are looked at. The exit status is that of the first that is not right; a wrong one counts for more than an \
      unchecked one.
      """,
    examples: """
      # is everything right with these files?
      kerfless verify clips/*.mp4
      # is this clip made of exactly that range?
      kerfless verify clip.mp4 --source film.mp4@00:01:05-00:01:15
      """)

  static let repair = Manual(
    description: """
      Writes a new file in which the fields of the container are right that can be known from the bitstream: dec3 and dac3, \
      the sample rate, a short last stts delta, the durations. The payload and everything else is borrowed as it is. The new \
      file is verified before it is written. Either everything that is wrong can be put right, or the file is refused \
      with the reason.
      """,
    examples: """
      # wrong fields put right in a new file
      kerfless repair damaged.mp4 -o mended.mp4
      """)

  static let batchRun = Manual(
    description: """
      Does what trim, concat and extract do, for any number of outputs in one process: a source is opened once, and all \
      processors are kept busy. The manifest is JSON Lines, plain or in LZ4 frames; see kerfless-manifest.

      A job that fails is reported and does not stop the others; in the end failures are counted by their codes. With \
      --journal what is begun and done is written down, and with --resume a run that was stopped, killed or lost its power \
      goes on where it was. --resume starts a journal where there is none, so that a script can always give it.

      SIGINT and SIGTERM end a run within a second: what is being written is finished or discarded.
      """,
    examples: """
      # all jobs of a manifest
      kerfless batch run jobs.jsonl
      # the same so that it can be started again at any time
      kerfless batch run jobs.jsonl --journal journal --resume
      # one of four parts, with numbers for Prometheus
      kerfless batch run jobs.lz4 --shard 0/4 --journal journal --resume --metrics kerfless.prom
      """)

  static let batchCheck = Manual(
    description: """
      Reads all of a manifest, opens its sources and computes its ranges, and tells everything that is wrong, without \
      writing a clip.
      """,
    examples: """
      # all that is wrong with a manifest
      kerfless batch check jobs.jsonl
      """)

  static let batchPack = Manual(
    description: """
      Writes a manifest in independent LZ4 frames with an index, so that a shard reads only its own frames. Ids and outputs \
      that are not unique are errors. The lz4 program reads what it writes.
      """,
    examples: """
      # packed, jobs of one source together
      kerfless batch pack jobs.jsonl --by-source -o jobs.lz4
      # read by other programs
      lz4 -dc jobs.lz4 | jq .output
      """)

  static let batchCat = Manual(
    description: """
      Prints a manifest unpacked, or the jobs of a shard, or the lines that an error names. Lines behind the manifest's end \
      are an error.
      """,
    examples: """
      # what a shard would run
      kerfless batch cat jobs.lz4 --shard 0/4
      # the line that an error names
      kerfless batch cat jobs.lz4 --lines 17
      """)

  static let batchStatus = Manual(
    description: """
      Reads the journals of all shards in a folder, while runs are at work or afterwards, and tells how many jobs are done, \
      how many failed and why, and how many were begun and are not over: a run is at them, waits until they are on the disk, \
      or was killed. With the manifest it also tells how many no run has begun, lines that are no jobs among them, and refuses \
      a journal of another manifest. Whether outputs are still as they were is not looked at; batch run --resume does that.

      With --check the exit status is 0 only when every job is done (of the manifest, or without it of the journal) and no run \
      is at work. It is 75 when jobs are left, at work or may work if tried again, and 1 when all that is left failed for good; \
      so did a line that is no job, and one with an id or output that another has.

      --list prints the manifest's own lines of the jobs that failed, were begun and are not over, or were not begun: a \
      manifest that can be run again, from the same folder or with the same --root, and with a journal of its own.
      """,
    examples: """
      # how far the runs of this journal are
      kerfless batch status journal
      # with the jobs that no run has begun, for a program
      kerfless batch status journal jobs.jsonl --json | jq .unbegun
      # again until nothing is left that may pass
      while kerfless batch status journal jobs.jsonl --check; [ $? = 75 ]; do
        kerfless batch run jobs.jsonl --journal journal --resume; sleep 60
      done
      # the jobs that failed, as a manifest
      kerfless batch status journal jobs.jsonl --list failed > failed.jsonl
      """)

  /// The group's own page.
  static let batch = Manual(
    description: """
      Cuts and joins any number of outputs in one process. Which, says a manifest: JSON Lines, plain or in LZ4 frames; see \
      kerfless-manifest.

      A manifest can be checked before anything is written, packed so that many machines can share it, and run with a \
      journal, so that a run that was stopped, killed or lost its power goes on where it was.
      """,
    examples: """
      # all that is wrong with a manifest
      kerfless batch check jobs.jsonl
      # all its jobs, so that it can be started again at any time
      kerfless batch run jobs.jsonl --journal journal --resume
      # how far that is
      kerfless batch status journal jobs.jsonl
      """)

  static let clean = Manual(
    description: """
      A run that is killed by SIGKILL may leave a file .kerfless-*.tmp beside an output that --force was replacing. This \
      removes those that no living run holds, from these folders and not from folders inside them.
      """,
    examples: """
      # what dead runs left
      kerfless clean clips
      """)

  static let help = Manual(
    description: """
      Without an option it prints what kerfless --help prints, or the options of a command. The manual pages and the \
      completions for shells are made from the same table.
      """,
    examples: """
      # the options of a command
      kerfless help batch run
      # a manual page where none is installed
      kerfless help --page kerfless-trim.1 | man -l -
      # completions for this shell
      source <(kerfless help --completions bash)
      """)
}
