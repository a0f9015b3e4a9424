// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of StreamMap never resolve what it stands on.
let package = Package(
  name: "IngestService",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "StreamMap", path: "../..", traits: ["NIO", "Observation"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    // Without the traits, SwiftPM 6.3 also builds the programs of the packages that it depends on.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "IngestService",
      dependencies: [
        "LibPQ", "Sodium",
        .product(name: "StreamMap", package: "StreamMap"),
        .product(name: "StreamMapCompression", package: "StreamMap"),
        .product(name: "StreamMapFiles", package: "StreamMap"),
        .product(name: "StreamMapNIO", package: "StreamMap"),
        .product(name: "StreamMapObservation", package: "StreamMap"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      resources: [
        .embedInCode("Page/index.html"), .embedInCode("Page/page.css"),
        .embedInCode("Page/page.js"), .embedInCode("Page/feeds.js"),
      ]),

    .systemLibrary(
      name: "LibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "Sodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),

    // What scripts/test load measures by; no part of the service.
    .executableTarget(
      name: "LoadBaseline",
      dependencies: [
        .product(name: "StreamMap", package: "StreamMap"),
        .product(name: "StreamMapNIO", package: "StreamMap"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
      ]),

    .testTarget(
      name: "IngestServiceTests",
      dependencies: [
        "IngestService",
        // For the server of the guide QueuesAndSockets.
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
