// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

// The expansions of #expect are not clean under strict memory safety, so tests go without it.
let tests: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

let package = Package(
  name: "kerfless",
  products: [
    .library(
      name: "Kerfless", targets: ["Batch", "Remuxing", "EnhancedAC3", "ISOMedia", "ByteParsing", "SystemIO"]),
    .executable(name: "kerfless", targets: ["kerfless"]),
  ],
  targets: [
    .systemLibrary(name: "CJSON", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"])]),
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .target(name: "CLinux"),
    .target(name: "ByteParsing", swiftSettings: strict),
    .target(name: "ISOMedia", dependencies: ["ByteParsing"], swiftSettings: strict),
    .target(name: "EnhancedAC3", dependencies: ["ByteParsing"], swiftSettings: strict),
    .target(name: "SystemIO", dependencies: ["CLinux"], swiftSettings: strict),
    .target(
      name: "Remuxing", dependencies: ["ByteParsing", "ISOMedia", "EnhancedAC3", "SystemIO"],
      swiftSettings: strict),
    .target(
      name: "Batch", dependencies: ["ByteParsing", "Remuxing", "SystemIO", "CJSON", "CLZ4"],
      swiftSettings: strict),
    .executableTarget(
      name: "kerfless",
      dependencies: ["Batch", "Remuxing", "ISOMedia", "EnhancedAC3", "ByteParsing", "SystemIO", "CJSON"],
      swiftSettings: strict),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: tests),
    .testTarget(
      name: "ByteParsingTests", dependencies: ["ByteParsing", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "ISOMediaTests", dependencies: ["ISOMedia", "ByteParsing", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "EnhancedAC3Tests", dependencies: ["EnhancedAC3", "ByteParsing", "TestSupport"],
      swiftSettings: tests),
    .testTarget(name: "SystemIOTests", dependencies: ["SystemIO", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "RemuxingTests",
      dependencies: ["Remuxing", "EnhancedAC3", "ISOMedia", "ByteParsing", "SystemIO", "TestSupport"],
      swiftSettings: tests),
    // The nested package Tests/Fuzz builds the same files into its fuzz targets; here they run on what it has kept.
    .target(
      name: "FuzzProperties", dependencies: ["Remuxing", "EnhancedAC3", "ByteParsing", "SystemIO"],
      path: "Tests/Fuzz/Sources/FuzzProperties", swiftSettings: tests),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzProperties", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "BatchTests", dependencies: ["Batch", "ByteParsing", "Remuxing", "SystemIO", "TestSupport"],
      swiftSettings: tests
    ),
    // The nested package Benchmarks builds the same files into its harness; here they are tested.
    .target(name: "CChildren", path: "Benchmarks/Sources/CChildren"),
    .target(
      name: "Bench", dependencies: ["CChildren"], path: "Benchmarks/Sources/Bench", swiftSettings: tests),
    .testTarget(
      name: "BenchTests", dependencies: ["Bench", "TestSupport", "kerfless"],
      path: "Benchmarks/Tests/BenchTests", swiftSettings: tests),
    .testTarget(
      name: "CommandTests", dependencies: ["kerfless", "Bench", "TestSupport"], swiftSettings: tests),
  ],
  swiftLanguageModes: [.v6]
)
