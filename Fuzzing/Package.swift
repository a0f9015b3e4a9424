// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of StreamMap never resolve it. `scripts/fuzz` builds it with -enable-testing: it
// looks at the engine from within, as the tests do.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "StreamMap", path: "..", traits: ["Yajl"])],
  targets: [
    .target(name: "CCases"),
    // The library knows where yajl is.
    .target(name: "CYajlAlone", dependencies: [.product(name: "StreamMap", package: "StreamMap")]),
    .executableTarget(
      name: "streammap-fuzz",
      dependencies: [
        "CCases", "CYajlAlone", .product(name: "StreamMap", package: "StreamMap"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
