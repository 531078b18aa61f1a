import Remuxing
import SystemIO

/// `inspect`: what files hold.
enum InspectCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    var status = ExitStatus.done
    for path in try arguments.paths(1...Int.max, "file") {
      let result: Result<FileInspection, Failure> = Result { () throws(Failure) in
        try FileInspection(path, scanning: arguments.has(.scan))
      }
      switch result {
      case .success(let inspection):
        if console.printsJSON { console.print(inspection.json) } else { console.print(inspection.lines) }
      case .failure(let failure):
        console.printFailure(failure)
        if status == .done { status = failure.code.exitStatus }
      }
    }
    return status.rawValue
  }
}

/// A file and what its tracks are.
struct FileInspection {
  let source: Source
  /// A Dolby track's facts, or nothing for a track that is something else.
  let tracks: [(numbered: Source.NumberedTrack, inspection: TrackInspection?)]

  init(_ path: FilePath, scanning: Bool) throws(Failure) {
    source = try Source(opening: path)
    var tracks: [(Source.NumberedTrack, TrackInspection?)] = []
    for numbered in source.tracks {
      if case .dolby(let track) = numbered.content {
        tracks.append((numbered, try TrackInspection(track, scanning: scanning)))
      } else {
        tracks.append((numbered, nil))
      }
    }
    self.tracks = tracks
    do throws(SystemError) { try source.file.checkUnchanged() } catch { throw Failure(error) }
  }
}
