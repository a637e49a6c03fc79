import Foundation
import TestSupport

/// What `Tests/Fixtures/swift.sh` makes, once for the whole test run.
enum Built {
    static let folder = Result {
        try Places.once("swift") { folder in
            let build = try Command.run(
                Places.fixtures.appending(path: "swift.sh").path,
                [folder.path, Places.products.path] + Client.compiled.map(\.description))
            guard build.succeeded else { throw Problem(build.output) }
        }
    }
}

/// A file of `Tests/Fixtures/Clients` in a language mode.
struct Client: CustomStringConvertible, Sendable {
    var name: String
    var mode: Int
    var description: String { "\(name).\(mode)" }

    static let names: [String] = {
        let folder = Places.fixtures.appending(path: "Clients")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }.sorted()
    }()

    /// What the file's first line says of how it fails in the mode, `// Fails in mode 6: WORDS OF THE COMPILER`; nil: it compiles.
    var failure: String? {
        get throws {
            let start = "// Fails in mode \(mode): "
            let first = try Self.source(name).prefix { $0 != "\n" }
            return first.hasPrefix(start) ? String(first.dropFirst(start.count)) : nil
        }
    }

    /// The text of a client file.
    static func source(_ name: String) throws -> String {
        try String(contentsOf: Places.fixtures.appending(path: "Clients/\(name).swift"), encoding: .utf8)
    }

    /// Those whose first line says that they run in the application `ClientNames`.
    static let running = names.filter {
        (try? source($0))?.hasPrefix("// Runs in ClientNames.\n") == true
    }

    /// Each file in mode 6, and in mode 5 as well where it fails in mode 6; of the others a few in mode 5, which takes what mode 6
    /// takes.
    static let compiled: [Client] = {
        let strict = names.map { Client(name: $0, mode: 6) }
        let fail = strict.filter { ((try? $0.failure) ?? nil) != nil }.map(\.name)
        let others = Sample.draw(names.filter { !fail.contains($0) }, most: 6, "Clients in mode 5")
        return strict + (fail + others).map { Client(name: $0, mode: 5) }
    }()
}

/// An application under the harness that plays the worker.
enum Worker {
    /// What the framework reported, but for the scenes that an application of an earlier SDK lacks.
    static func reports(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("report") && !$0.contains("TN3187") }
    }

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
            environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
        // Of `make test-tsan`: the application prints it, and need not end by it.
        guard !command.output.contains("WARNING: ThreadSanitizer") else { throw Problem(command.output) }
        return (command.output.split(separator: "\n").map(String.init), command)
    }
}
