// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

// A package of its own, so that nobody who builds Kerfless builds this. The probe is what is measured inside a process: it
// links the engine and counts its allocations. The harness starts it, the command and the C floor, and links none of them.
// Tests of the harness run with all others: the package around this one builds Bench too.
let package = Package(
  name: "kerfless-bench",
  products: [
    .executable(name: "kerfless-bench", targets: ["kerfless-bench"]),
    .executable(name: "kerfless-probe", targets: ["kerfless-probe"]),
  ],
  dependencies: [.package(name: "kerfless", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "CChildren"),
    .executableTarget(
      name: "kerfless-probe",
      dependencies: ["CAllocations", .product(name: "Kerfless", package: "kerfless")],
      path: "Sources/Probe", swiftSettings: settings),
    .target(name: "Bench", dependencies: ["CChildren"], swiftSettings: settings),
    .executableTarget(name: "kerfless-bench", dependencies: ["Bench"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
