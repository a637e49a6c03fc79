import Foundation
import TestSupport

/// One run of a plugin in the harness, a host of a few hundred lines of C without confinement.
struct Harness {
    var command: Command
    var output: String { command.output }

    /// The outcome, as taskhost would name it.
    var outcome: String {
        if command.signal != nil { return "crashed" }
        return lines(of: "outcome").last ?? "exited"
    }

    /// Runs `symbol` of `library`; for an application, `symbol` is `["--task", identifier]`.
    static func run(
        _ library: URL, _ symbol: [String], state: Folder? = nil, settings: String? = nil, options: [String] = []
    ) throws -> Harness {
        var arguments = options
        if let state { arguments += ["--state", state.path, "--cache", state.path, "--manifest", state.path] }
        if let settings { arguments += ["--settings", settings] }
        arguments += [library.path] + symbol
        let harness = try Places.built.get().appending(path: "harness")
        // A crash must not start the runtime's own reporter, which outlives the process that it reports on.
        let environment = ["SWIFT_BACKTRACE": "enable=no"]
        return Harness(command: try Command.run(harness.path, arguments, environment: environment))
    }

    /// What follows `word` on the lines that begin with it.
    func lines(of word: String) -> [String] {
        output.split(separator: "\n", omittingEmptySubsequences: true).filter { $0.hasPrefix(word + " ") }
            .map { String($0.dropFirst(word.count + 1)) }
    }

    /// Time between the warning and the completion.
    var reaction: Duration? {
        lines(of: "reaction-microseconds").first.flatMap(Int64.init).map { .microseconds($0) }
    }
}
