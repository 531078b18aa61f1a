import Bench
import Foundation

@main
enum KerflessBench {
  static func main() {
    exit(BenchCommand.run(Array(CommandLine.arguments.dropFirst())))
  }
}
