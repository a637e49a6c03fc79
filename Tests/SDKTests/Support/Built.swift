import Foundation
import TestSupport

/// What `Tests/Fixtures/swift.sh` makes, once for the whole test run.
enum Built {
    static let folder = Result { () throws -> URL in
        let folder = try Folder()
        kept.append(folder)
        let build = try Command.run(
            Places.fixtures.appending(path: "swift.sh").path, [folder.path, Places.products.path])
        guard build.succeeded else { throw Problem(build.output) }
        return folder.url
    }
    /// Removed when the test program ends.
    nonisolated(unsafe) private static var kept: [Folder] = []  // written while the lazy static above is made, once
}

/// An application under the harness that plays the worker.
enum Worker {
    /// Runs the steps and returns what was printed, one line an element.
    /// - Parameters:
    ///   - library: the application's name.
    ///   - permitted: the manifest's tasks, such as `1:r1`; the identifiers begin with `com.ex.app.`.
    ///   - steps: as `application-harness.c` describes them.
    static func run(
        _ library: String, permitted: [String] = [], options: [String] = [], environment: [String: String] = [:],
        _ steps: [String]
    ) throws -> (lines: [String], command: Command) {
        let folder = try Built.folder.get()
        let library = library.contains("/") ? library : folder.appending(path: "lib\(library).so").path
        let permits = permitted.flatMap { entry -> [String] in
            let parts = entry.split(separator: ":")
            return ["--permit", "\(parts[0]):com.ex.app.\(parts[1])"]
        }
        let command = try Command.run(
            folder.appending(path: "application-harness").path, permits + options + [library] + steps,
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }, within: .seconds(60))
        // Of `make test-tsan`: the application prints it, and need not end by it.
        guard !command.output.contains("WARNING: ThreadSanitizer") else { throw Problem(command.output) }
        return (command.output.split(separator: "\n").map(String.init), command)
    }
}
