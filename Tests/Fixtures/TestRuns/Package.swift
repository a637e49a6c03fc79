// swift-tools-version: 6.2
import PackageDescription

/// Tests that fail, crash or hang as ROLE says: what Tools/check-test-runs.sh judges Tools/test.sh by.
let package = Package(
    name: "test-runs", targets: [.testTarget(name: "RunTests", path: "Tests", swiftSettings: [.swiftLanguageMode(.v6)])]
)
