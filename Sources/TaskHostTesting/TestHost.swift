public import BackgroundTasks
internal import Foundation
internal import Manifests
internal import Scheduling
internal import TaskModel

/// taskhost for a unit test: it takes the place of the daemon for the application's code in this process. A test starts the
/// handlers that the code registered, expires them, and looks at its requests.
///
/// The code goes through the same SDK as in a worker, and taskhost's own engine and scheduler decide, by a clock that only
/// the test moves. There is one process: it is not confined, and nothing measures what it uses.
///
/// One host at a time has the SDK's connection of the process. Another test that makes one waits until `close` was called,
/// or the host is no longer referred to.
public final class TestHost: Sendable {
    /// How long, by the real clock, `advance` and `expire` let a handler react before the virtual clock goes on.
    public let patience: Duration
    let core: HostCore

    /// Makes a host with the application of a manifest, and launches the application in the background.
    /// - Parameters:
    ///   - manifest: the manifest's file. Its library is not read.
    ///   - patience: how long, by the real clock, a handler may take to react before the virtual clock goes on.
    ///   - launching: launches the application: it registers its handlers, as at the start of its process. Called on the
    ///     main actor, once for each process. `AppDelegate.main()` does all that a worker does.
    /// - Throws: `TestHostError` for a manifest with faults, and when `launching` throws.
    public convenience init(
        manifest: URL, patience: Duration = .seconds(2), launching: @escaping @MainActor @Sendable () throws -> Void
    ) async throws {
        guard let bytes = FileManager.default.contents(atPath: manifest.path) else {
            throw TestHostError.manifest(["the manifest cannot be read; \(manifest.path); name its file"])
        }
        try await self.init(
            Array(bytes), path: manifest.path, folder: manifest.deletingLastPathComponent().path, patience, launching)
    }

    /// Makes a host with an application that has these tasks, each with the defaults of its kind, and launches it in the
    /// background.
    /// - Parameters:
    ///   - tasks: the kinds of the permitted identifiers. One that ends in `.*` permits any one further part.
    ///   - application: the application's identifier.
    ///   - backgroundModes: the modes of the manifest, such as `fetch` and `remote-notification`; none: it does not say.
    ///   - patience: how long, by the real clock, a handler may take to react before the virtual clock goes on.
    ///   - launching: launches the application: it registers its handlers, as at the start of its process. Called on the
    ///     main actor, once for each process.
    /// - Throws: `TestHostError` for an identifier that is none, and when `launching` throws.
    public convenience init(
        tasks: [String: TestTaskKind], application: String = "com.example.application",
        backgroundModes: [String] = [], patience: Duration = .seconds(2),
        launching: @escaping @MainActor @Sendable () throws -> Void
    ) async throws {
        var manifest: [String: Any] = [
            "identifier": application, "library": "libApplication.so",
            "tasks": tasks.mapValues { ["kind": $0.rawValue] },
        ]
        if !backgroundModes.isEmpty { manifest["backgroundModes"] = backgroundModes }
        let bytes = try JSONSerialization.data(withJSONObject: manifest, options: .sortedKeys)
        try await self.init(
            Array(bytes), path: "the tasks of TestHost", folder: FileManager.default.currentDirectoryPath, patience,
            launching)
    }

    private init(
        _ manifest: [UInt8], path: String, folder: String, _ patience: Duration,
        _ launching: @escaping @MainActor @Sendable () throws -> Void
    ) async throws {
        let profile = LimitsProfile.modern
        let decoded = ManifestDecoder.decode(bytes: manifest, path: path, folder: folder, profile: profile)
        guard let definition = decoded.application else {
            throw TestHostError.manifest(decoded.diagnostics.map { "\($0)" })
        }
        let place = FileManager.default.temporaryDirectory.appending(path: "taskhost-\(UUID().uuidString)")
        for name in ["state", "cache"] {
            try FileManager.default.createDirectory(
                at: place.appending(path: name), withIntermediateDirectories: true)
        }
        await Turnstile.enter()
        self.patience = patience
        core = HostCore(
            HostModel(definition, profile, time: HostModel.calendar()), folder: place, launching: launching)
        core.change { $0.hear(.wake(application: $0.application)) }
        await settle()
        let fault = core.change { $0.launchFault }
        if let fault { throw TestHostError.launch(fault) }
    }

    deinit { core.close() }

    /// Ends the application's process without a word, and lets the next host begin. The host's folders are deleted.
    public func close() async {
        core.close()
        await core.drain()
    }

    /// Runs `body` while the process has no host, as in a program of its own; hosts of other tests wait.
    public static func withoutHost<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        await Turnstile.enter()
        defer { Turnstile.leave() }
        return try await body()
    }

    // MARK: Looking

    /// Copies of the application's pending requests, as `BGTaskScheduler` gives them; also while its process is gone.
    public var submitted: [BGTaskRequest] { unsafe Submission.pending(of: core.tables.scheduling) }

    /// The runs that are in progress, oldest first.
    public var running: [TestRun] {
        core.change { model in
            model.active(nil).map { TestRun(self, $0, identifier: model.facts[$0]?.identifier ?? "") }
        }
    }

    /// The runs that have ended, in the order of their ends.
    public var results: [RunResult] { core.change { $0.results } }

    /// What the pending request of an identifier waits for, in words; nil: nothing holds it, or nothing is pending.
    public func waiting(_ identifier: String) -> String? {
        core.change { model in
            model.pending(identifier).flatMap { Scheduler.phrase(of: model.scheduler.explain($0, at: model.now)) }
        }
    }

    /// Uses of the framework that end an app on iOS, and a worker whose manifest does not say `"misuse": "report"`; a
    /// sentence each. Here they have no effect.
    public var misuses: [String] { core.change { $0.misuses } }

    /// Lines of the journal: notifications that the application added, and quarantines.
    public var notes: [String] { core.change { $0.notes } }

    /// Why the application's process was terminated, each time; the words are those of `taskhost terminations`.
    public var terminations: [String] { core.change { $0.terminations } }

    /// The seconds by which the virtual clock is ahead of where it began.
    public var elapsed: Duration { core.change { .nanoseconds(Int64($0.now.instant.nanoseconds) - 1_000_000_000) } }

    /// The folder that the application gets as its state folder; deleted with the host.
    public var stateDirectory: URL { core.folder.appending(path: "state") }

    // MARK: Waiting

    /// Waits until the application was called for everything that was decided so far.
    func settle() async {
        _ = await core.wait(within: .seconds(60)) { _, isIdle in isIdle }
    }
}
