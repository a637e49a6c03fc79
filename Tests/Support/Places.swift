package import Foundation
import Glibc

/// Where things are.
package enum Places {
    /// The root of the repository.
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    package static let include = root.appending(path: "Sources/CTaskHost/include")
    package static let fixtures = root.appending(path: "Tests/Fixtures")
    /// By the machine, as uname(1) names it.
    package static let frozenLibraries = [
        "x86_64": fixtures.appending(path: "AbiFrozen/libFrozenV1.so"),
        "aarch64": fixtures.appending(path: "AbiFrozen/aarch64/libFrozenV1.so"),
    ]
    /// Debian's Python, which has the packages: another may come first on the path.
    package static let python = "/usr/bin/python3"

    /// The folder that SwiftPM builds into: the test program is in it as well.
    package static var products: URL {
        get throws {
            URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
                .deletingLastPathComponent()
        }
    }

    /// The built programs.
    package static var taskhost: String { get throws { try products.appending(path: "taskhost").path } }
    package static var worker: String { get throws { try products.appending(path: "taskhost-worker").path } }
    package static var transfer: String { get throws { try products.appending(path: "taskhost-transfer").path } }

    /// All fixtures, built once for the whole test run, with the harness and the manifests beside them, where every user
    /// can reach them.
    package static let built = Result {
        try once("fixtures") { folder in
            let build = try Command.run(fixtures.appending(path: "build.sh").path, [folder.path])
            guard build.succeeded else { throw Problem(build.output) }
        }
    }

    /// Copies of the built programs and example libraries, where every user can reach them.
    package static let programs = Result {
        try once("programs") { folder in
            let names = [
                "taskhost", "taskhost-worker", "taskhost-transfer", "libScrub.so", "libDatabaseCare.so",
                "libSeedSample.so", "libSeedBackgroundTime.so", "libSeedTransfers.so", "libFeedRefresh.so",
            ]
            let files = try names.map { try products.appending(path: $0).path }
            // By another process: one that this process has open for writing cannot be executed (ETXTBSY), and every
            // program that is started meanwhile inherits what is open for a moment.
            let copy = try Command.run("install", ["-m", "755", "-D", "-t", folder.path] + files)
            guard copy.succeeded else { throw Problem(copy.output) }
        }
    }

    /// A folder that the whole test run shares, made by the first of its processes that needs it; others wait for it.
    package static func once(_ name: String, _ make: (URL) throws -> Void) throws -> URL {
        let folder = try shared.get().appending(path: name)
        let lock = open(folder.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            throw Problem("\(name): \(String(cString: strerror(errno)))")
        }
        defer { close(lock) }
        let isMade = folder.path + ".made"
        if access(isMade, F_OK) != 0 {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try make(folder)
            guard FileManager.default.createFile(atPath: isMade, contents: nil) else { throw Problem(isMade) }
        }
        return folder
    }

    /// What the whole test run shares: the folder that `Tools/test.sh` names, or one of this process alone. Nothing frees a
    /// static: the latter goes when the test program does.
    static let shared = Result { () throws -> URL in
        if let given = getenv("TASKHOST_TEST_SHARED") { return URL(filePath: String(cString: given)) }
        atexit { try? FileManager.default.removeItem(at: Places.sharedFolder) }
        try FileManager.default.createDirectory(at: sharedFolder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: sharedFolder.path)
        return sharedFolder
    }
    private static let sharedFolder = FileManager.default.temporaryDirectory
        .appending(path: "taskhost-tests-\(UUID().uuidString)")

    /// A program of the sanitizers' loads no plain library, nor the other way about.
    package static let isSanitized =
        dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
