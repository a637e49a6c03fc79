package import Foundation
import Glibc

/// Where things lie.
package enum Places {
    /// The root of the repository.
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    package static let include = root.appending(path: "Sources/CTaskHost/include")
    package static let fixtures = root.appending(path: "Tests/Fixtures")
    package static let frozenLibrary = fixtures.appending(path: "AbiFrozen/libFrozenV1.so")

    /// The folder that SwiftPM builds into: the test program lies in it as well.
    package static var products: URL {
        get throws {
            URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
                .deletingLastPathComponent()
        }
    }

    /// The built programs.
    package static var taskhost: String { get throws { try products.appending(path: "taskhost").path } }
    package static var worker: String { get throws { try products.appending(path: "taskhost-worker").path } }

    /// All fixtures, built once for the whole test run, with the harness and the manifests beside them, where every user
    /// can reach them.
    package static let built = Result { () throws -> URL in
        // Nothing frees a static: the folder goes when the test program does.
        atexit { try? FileManager.default.removeItem(at: Places.builtFolder) }
        let build = try Command.run(fixtures.appending(path: "build.sh").path, [builtFolder.path])
        guard build.succeeded else { throw Problem(build.output) }
        return builtFolder
    }
    private static let builtFolder = FileManager.default.temporaryDirectory
        .appending(path: "taskhost-fixtures-\(UUID().uuidString)")

    /// A program of the sanitizers' loads no plain library, nor the other way about.
    package static let isSanitized =
        dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
