/// New boxes of the kinds that are the newest code: edit lists and fragments.
enum Template {
  static func make(_ random: inout Generator) -> [UInt8] {
    switch random.below(5) {
    case 0: box("edts", editList(&random))
    case 1: box("trun", run(&random))
    case 2: box("tfhd", fragmentHeader(&random))
    case 3: box("tfdt", [0, 0, 0, 0] + number(&random))
    default: box("traf", box("tfhd", fragmentHeader(&random)) + box("trun", run(&random)))
    }
  }

  private static func editList(_ random: inout Generator) -> [UInt8] {
    let count = 1 + random.below(3)
    let isWide = random.below(2) == 1
    var rows: [UInt8] = []
    for index in 0..<count {
      let isEmpty = index == 0 && count > 1
      let start = isEmpty ? [UInt8](repeating: 255, count: 4) : number(&random)
      let padding: [UInt8] = isWide ? [0, 0, 0, 0] : []
      let sign = isWide && isEmpty ? [255, 255, 255, 255] : padding
      rows += padding + number(&random) + sign + start + [0, 1, 0, 0]
    }
    return box("elst", [isWide ? 1 : 0, 0, 0, 0, 0, 0, 0, UInt8(count)] + rows)
  }

  private static func run(_ random: inout Generator) -> [UInt8] {
    let flags = random.below(16)
    let count = random.below(5)
    var bytes: [UInt8] = [0, 0, UInt8(flags >> 1 & 3), UInt8(flags & 1), 0, 0, 0, UInt8(count)]
    if flags & 1 != 0 { bytes += number(&random) }
    for _ in 0..<count {
      if flags & 2 != 0 { bytes += [0, 0, 6, 0] }
      if flags & 4 != 0 { bytes += [0, 0, 0, UInt8(8 + 2 * random.below(12))] }
    }
    return bytes
  }

  private static func fragmentHeader(_ random: inout Generator) -> [UInt8] {
    let flags = random.below(32)
    var bytes: [UInt8] = [0, UInt8(flags & 4 >> 1), 0, UInt8(flags & 0x1b), 0, 0, 0, 1]
    if flags & 1 != 0 { bytes += [0, 0, 0, 0] + number(&random) }
    if flags & 2 != 0 { bytes += [0, 0, 0, 1] }
    if flags & 8 != 0 { bytes += [0, 0, 6, 0] }
    if flags & 16 != 0 { bytes += [0, 0, 0, 16] }
    return bytes
  }

  /// Mostly numbers of the size that times and offsets in a small file have.
  private static func number(_ random: inout Generator) -> [UInt8] {
    let value = [random.below(64), random.below(2048), random.below(20_000), 1536 * random.below(16)][
      random.below(4)]
    return [0, 0, UInt8(value >> 8), UInt8(value & 255)]
  }

  private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    let size = payload.count + 8
    return [0, 0, UInt8(size >> 8), UInt8(size & 255)] + Array(type.utf8) + payload
  }
}
