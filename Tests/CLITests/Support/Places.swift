import Foundation
import Testing

/// Where things are.
enum Places {
    /// The root of the repository.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder that SwiftPM builds into: the test program is in it as well.
    static var products: URL {
        get throws {
            URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
                .deletingLastPathComponent()
        }
    }

    static var taskhost: URL { get throws { try products.appending(path: "taskhost") } }

    /// What the program sees: none of the settings of the user who runs the tests, and, in debug builds, a machine that
    /// reports nothing about itself: what else runs here must not decide what hosts do.
    static let environment: [String: String] = {
        var environment = ProcessInfo.processInfo.environment.filter { ["PATH", "TMPDIR", "LANG"].contains($0.key) }
        environment["HOME"] = "/nonexistent"
        environment["TASKHOST_SENDMAIL"] = "/nonexistent"
        environment["TASKHOST_DEVICE_ROOT"] = "/nonexistent"
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent/bus"
        return environment
    }()

    static let isRoot = geteuid() == 0

    /// A program of the sanitizers' loads no plain library.
    static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}

/// A sentence about a test that cannot continue.
struct Problem: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

extension Trait where Self == ConditionTrait {
    /// For tests that load their own library into a worker.
    static var plainBuild: Self { .disabled(if: Places.isSanitized, "a sanitized worker loads no plain library") }
}
