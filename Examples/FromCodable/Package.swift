// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of StreamMap never resolve what it stands on.
let package = Package(
  name: "FromCodable",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "StreamMap", path: "../..", traits: ["Macros"])],
  targets: [
    .executableTarget(
      name: "FromCodable",
      dependencies: [
        .product(name: "StreamMap", package: "StreamMap"),
        .product(name: "StreamMapMacros", package: "StreamMap"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
