// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

// A package of its own, so that nobody who builds Kerfless builds this: libFuzzer gives each target its `main`, and only
// `run` knows the flags that it takes. FuzzProperties is the part that the normal tests build too.
let package = Package(
  name: "kerfless-fuzz",
  dependencies: [.package(name: "kerfless", path: "../..")],
  targets: [
    .systemLibrary(name: "CLibFuzzer"),
    .target(
      name: "FuzzProperties", dependencies: [.product(name: "Kerfless", package: "kerfless")],
      swiftSettings: settings),
    .executableTarget(
      name: "mp4-plan", dependencies: ["FuzzProperties", "CLibFuzzer"], swiftSettings: settings),
    .executableTarget(name: "elementary", dependencies: ["FuzzProperties"], swiftSettings: settings),
    .executableTarget(name: "dec3", dependencies: ["FuzzProperties"], swiftSettings: settings),
    .executableTarget(name: "syncframe", dependencies: ["FuzzProperties"], swiftSettings: settings),
    .executableTarget(name: "times", dependencies: ["FuzzProperties"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
