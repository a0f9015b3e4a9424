// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of StreamMap never resolve it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "StreamMap", path: "..", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    // Raw yajl, in C: what the parser underneath costs without Swift around it. The library knows where yajl is.
    .target(
      name: "CYajlBaseline", dependencies: [.product(name: "StreamMap", package: "StreamMap")]),

    .executableTarget(
      name: "streammap-bench",
      dependencies: [
        "CYajlBaseline",
        .product(name: "StreamMap", package: "StreamMap"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
