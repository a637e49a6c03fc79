import Control
import JSON

/// `taskhost run` where a host serves the state folder: it runs them, and this process waits.
enum ServedRun {
    /// What the host has settings of its own for.
    private static let hostOptions = ["--manifests", "--config", "--profile", "--repeat", "--concurrency"]

    static func run(
        _ arguments: Arguments, _ terminal: Terminal, _ client: any HostClient, settings: [UInt8]
    ) throws(Failure) -> Int32 {
        if let option = hostOptions.first(where: { arguments.has($0) }) {
            throw .usage(
                "a host serves this state, with settings of its own; \(option); leave it out, or use another folder with "
                    + "--state")
        }
        var members: [JSONOutput.Member] =
            arguments.has("--all")
            ? [.init("all", true)] : [.init("identifiers", .array(arguments.words.map(JSONOutput.string)))]
        let payload = try PayloadOption.read(arguments, of: RunVerb.name)
        if !payload.isEmpty { members.append(.init("payload", .string(Base64.encode(payload)))) }
        // They were parsed before, and are known to be an object.
        if !settings.isEmpty { members.append(.init("settings", .verbatim(settings))) }
        let follower = RunFollower(
            client, terminal, showsOutput: !arguments.isJSON && !arguments.has("--quiet"),
            showsProgress: !arguments.isJSON, watches: arguments.has("--watch"))
        let records = try follower.follow { () throws(Failure) in
            let document = try client.document(.startRuns, body: .object(members))
            return try (document["runs"]?.array ?? []).map { (run) throws(Failure) in
                try StartedRun.id(in: run, terminal)
            }
        }
        RunReport.print(records, arguments, terminal)
        return RunReport.exitStatus(records)
    }
}
