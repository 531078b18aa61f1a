import Batch
import Remuxing
import SystemIO

/// `batch pack`: a manifest in LZ4 frames with an index.
enum BatchPackCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    Heap.returnLargeBlocks()
    let manifest = try ManifestArgument(arguments)
    guard let output = try arguments.path(.output), output.bytes != [UInt8(ascii: "-")] else {
      throw .usage("pack writes a file", "give one with -o OUT.lz4")
    }
    var packer = ManifestPacker(rules: manifest.rules)
    if let jobs = try arguments.count(.frameJobs) { packer.jobsPerFrame = jobs }
    packer.groupsBySource = arguments.has(.bySource)
    var options = OutputOptions()
    options.replacesExisting = arguments.has(.force)
    let input = try manifest.open()
    let report = try engine { () throws(Failure) in
      try packer.pack(input, to: output, options: options) { fault in
        Console.printDiagnostic(fault.failureText ?? "error: line \(fault.line)")
      }
    }
    if console.printsJSON {
      console.print(
        .object([
          ("schema", .string("kerfless.batch.pack/1")), ("output", .string(output.description)),
          ("jobs", .number(report.jobCount)), ("frames", .number(report.frameCount)),
          ("bytes", .number(report.byteCount)), ("faults", .number(report.faultCount)),
        ]))
    } else if report.faultCount == 0 {
      console.print([
        "\(report.jobCount.counted("job")) in \(report.frameCount.counted("frame")), \(report.byteCount.counted("byte"))"
      ])
    } else {
      console.print(["\(report.faultCount.counted("wrong line")), nothing was written"])
    }
    return report.faultCount == 0 ? ExitStatus.done.rawValue : ExitStatus.badInput.rawValue
  }
}

/// `batch cat`: a manifest, or a part of it.
enum BatchCatCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let manifest = try ManifestArgument(arguments)
    let input = try manifest.open()
    let choice = try choice(arguments)
    let printed = try engine { () throws(Failure) in
      try ManifestPrinter.forEachPart(of: input, choice) { (bytes) throws(Failure) in
        do throws(SystemError) { try StandardStream.output.write(bytes) } catch { throw Failure(error) }
      }
    }
    if let end = printed.end { Console.printDiagnostic("warning: the manifest ends with line \(end)") }
    if case .lines = choice, printed.lineCount == 0 {
      Console.printDiagnostic("warning: there is no job in these lines")
    }
    return ExitStatus.done.rawValue
  }

  private static func choice(_ arguments: Arguments) throws(CommandError) -> ManifestPrinter.Choice {
    guard let text = arguments.text(.lines) else { return .shard(try arguments.shard()) }
    guard arguments.text(.shard) == nil else { throw .usage("--lines and --shard exclude each other", nil) }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first > 0,
      last >= first
    else { throw .usage("--lines cannot be '\(text)'", "write one line's number, or A-B, from 1") }
    return .lines(first - 1..<last)
  }
}
