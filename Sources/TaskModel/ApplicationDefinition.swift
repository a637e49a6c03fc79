/// What one manifest describes, checked and with its defaults filled in.
package struct ApplicationDefinition: Sendable, Equatable {
    package var identifier: String
    /// For display; nil when the manifest has none.
    package var name: String?
    /// What its author calls this state of it; nil when the manifest has none.
    package var version: String?
    /// The application's library as the manifest spells it; nil when every handler names its own library.
    package var library: String?
    /// SHA-256 of the library's file that the manifest pins, 32 bytes.
    package var librarySHA256: [UInt8]?
    /// nil: the manifest has no modes, and every kind of task may run.
    package var backgroundModes: [String]?
    /// In the order of the manifest; none: its library is an application.
    package var tasks: [TaskDefinition]
    package var permissions: Permissions
    package var isolation: Isolation
    package var confinement = ConfinementLevel.full
    /// The user of the machine that its workers become, and a group instead of his own; nil: the host chooses.
    package var user: String?
    package var group: String?
    package var enforcement: Enforcement
    package var misuse: Misuse
    /// The class of its scene delegate with its module; nil when the manifest names none.
    package var scene: String?
    /// The release of iOS whose rules its framework keeps.
    package var rules = SystemRules.iOS26
    package var transfers = TransferSettings()
    /// The manifest's file, as it was named, and its folder ($MANIFEST).
    package var manifestPath: String
    package var manifestFolder: String

    package init(
        identifier: String, name: String? = nil, version: String? = nil, library: String? = nil,
        librarySHA256: [UInt8]? = nil, backgroundModes: [String]? = nil, tasks: [TaskDefinition] = [],
        permissions: Permissions = Permissions(), isolation: Isolation = .zygote, enforcement: Enforcement = .strict,
        misuse: Misuse = .trap, manifestPath: String = "", manifestFolder: String = ""
    ) {
        self.identifier = identifier
        self.name = name
        self.version = version
        self.library = library
        self.librarySHA256 = librarySHA256
        self.backgroundModes = backgroundModes
        self.tasks = tasks
        self.permissions = permissions
        self.isolation = isolation
        self.enforcement = enforcement
        self.misuse = misuse
        self.manifestPath = manifestPath
        self.manifestFolder = manifestFolder
    }

    /// The largest memory budget of its tasks that have one; nil: none has.
    package var largestMemory: ByteCount? { tasks.map(\.budget.memory).filter { $0 < .unlimited }.max() }

    /// It has a task whose handler is a program: each of its runs has a process of its own.
    package var runsPrograms: Bool { tasks.contains(where: \.handler.isProgram) }

    /// A process can be made ahead for it: one that is confined from its birth on. What has a broker is confined later.
    package var mayHaveSpare: Bool {
        confinement == .full && permissions.sockets.isEmpty && !permissions.ping && permissions.capabilities.isEmpty
    }

    /// The paths of its tasks' programs, in their order, variables not replaced.
    package var programs: [String] {
        tasks.compactMap { if case .command(let command) = $0.handler { command.words.first } else { nil } }
    }

    /// Tasks of a kind may not run: the manifest names modes, and not the one that the kind needs.
    package func lacksMode(for kind: TaskKind) -> Bool {
        guard let backgroundModes, let needed = kind.backgroundMode else { return false }
        return !backgroundModes.contains(needed)
    }
}

/// How an application's worker is created.
package enum Isolation: String, CaseIterable, Sendable {
    /// Forked from a prepared process: fast; shares the prepared process's address layout.
    case zygote
    /// A new process with its own address layout.
    case exec
    /// Forked as with `zygote`, one process for every run: exact figures, no siblings.
    case run
}

/// How much of what its user may do an application may do.
package enum ConfinementLevel: String, CaseIterable, Sendable {
    /// What its permissions grant, and no more.
    case full
    /// All of it, as under cron: for programs only. Budgets hold mistakes then, not malice.
    case unconfined = "none"
}

/// What happens when a limit cannot be enforced on this machine.
package enum Enforcement: String, CaseIterable, Sendable {
    /// The run is refused.
    case strict
    /// It runs, and its record says `degraded` and names the limit.
    case bestEffort
}

/// What happens when an application breaks a rule of the framework that traps on iOS, such as registering a handler twice.
package enum Misuse: String, CaseIterable, Sendable {
    /// The worker traps with the framework's message.
    case trap
    /// The call does nothing and a diagnostic is recorded.
    case report
}

/// The SDK that an application would be built with on iOS: some of the framework's rules depend on it.
package enum SystemRules: String, CaseIterable, Sendable {
    /// An application without the scene life cycle gets a diagnostic.
    case iOS26 = "26"
    /// It ends at its launch (Apple's TN3187), and submitting requests on the main thread is reported.
    case iOS27 = "27"

    /// As the application's own code receives it.
    package var number: UInt32 {
        switch self {
        case .iOS26: 26
        case .iOS27: 27
        }
    }
}

/// What a worker may reach beyond the system's libraries and its own folders.
package struct Permissions: Sendable, Equatable {
    /// Paths, `$MANIFEST`, `$STATE` and `$CACHE` not yet replaced.
    package var read: [String]
    package var write: [String]
    package var network: [NetworkGrant]
    /// Programs, and folders of programs, that its own programs may execute; those of `command` are granted anyway.
    package var execute: [String]
    /// Unix sockets that its programs may connect to, by their paths.
    package var sockets: [String] = []
    /// Its programs may send ICMP echo requests to any address.
    package var ping = false
    /// It may change modes, owners and times of files that its user owns, also beyond `write`.
    package var attributes = false
    /// What its programs may do beyond the rights of an ordinary user; of an application whose user is root.
    package var capabilities: [Capability] = []

    package init(
        read: [String] = [], write: [String] = [], network: [NetworkGrant] = [], execute: [String] = []
    ) {
        self.read = read
        self.write = write
        self.network = network
        self.execute = execute
    }
}
