// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of StreamMap never resolve what it stands on.
let package = Package(
  name: "Download",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "StreamMap", path: "../..", traits: ["NIO"]),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .executableTarget(
      name: "Download",
      dependencies: [
        .product(name: "StreamMap", package: "StreamMap"),
        .product(name: "StreamMapFiles", package: "StreamMap"),
        .product(name: "StreamMapNIO", package: "StreamMap"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
