// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as an app would be.
let package = Package(
  name: "Patch",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "StreamMap", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Patch", dependencies: [.product(name: "StreamMap", package: "StreamMap")])
  ],
  swiftLanguageModes: [.v6]
)
