import Foundation
import Glibc

/// Where things lie.
enum Places {
    /// The root of the repository.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let include = root.appending(path: "Sources/CTaskHost/include")
    static let fixtures = root.appending(path: "Tests/Fixtures")
    static let frozenLibrary = fixtures.appending(path: "AbiFrozen/libFrozenV1.so")

    /// The folder that SwiftPM builds into: the test program lies in it as well.
    static var products: URL {
        get throws {
            URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
                .deletingLastPathComponent()
        }
    }

    /// All fixtures, built once for the whole test run, with the harness and the manifests beside them. The folder has
    /// a fixed name: one test run replaces what another left.
    static let built = Result { () throws -> URL in
        let folder = try products.appending(path: "PluginFixtures")
        let build = try Command.run(fixtures.appending(path: "build.sh").path, [folder.path])
        guard build.succeeded else { throw Problem(build.output) }
        return folder
    }

    /// A program of the sanitizers' loads no plain library, nor the other way about.
    static let isSanitized =
        dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}

/// A sentence about a test that cannot go on.
struct Problem: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
