import Confining
import Linux
import TaskModel
import Wire

/// A Landlock ruleset for one plan: the files and ports that a worker with this plan may reach.
struct LandlockRuleset: ~Copyable {
    private let rules: Landlock
    private let abi: Int32
    /// The rights of files that it refuses unless a rule grants them.
    private let handled: LandlockAccess

    /// Creates the ruleset and returns its descriptor. It restricts no process until a worker enters it, so it can be
    /// created before the fork and serve several workers.
    ///
    /// - Parameters:
    ///   - library: the descriptor of the application's library, or -1.
    ///   - foreign: folders that applications may write, whosever.
    ///   - mention: called for each granted path that gets no rule, or is a link.
    /// - Throws: `.ruleset`.
    static func make(
        plan: LaunchPlan, library: Int32, system: SystemGrants, abi: Int32, foreign: Set<String>,
        mention: (_ path: String, _ finding: GrantResolver.Finding) -> Void
    ) throws(ConfinementError) -> Descriptor {
        let handled = LandlockAccess.handled(by: abi)
        let made = try ConfinementError.at(.ruleset) { () throws(SystemError) in
            try Landlock(
                files: handled.rawValue,
                network: LandlockRight.network(by: abi, anyPort: plan.allowsAnyPort),
                scopes: LandlockRight.mask(of: .scopes, by: abi) & (plan.has(.kill) ? ~LandlockRight.signal.mask : .max)
            )
        }
        let rules = LandlockRuleset(rules: made, abi: abi, handled: handled)
        try rules.allowSystem(system.always)
        if !plan.ports.isEmpty {
            try rules.allowSystem(system.withNetwork)
            if !plan.allowsAnyPort { try rules.allow(ports: plan.ports) }
        }
        if !plan.execute.isEmpty { try rules.allowSystem(system.forPrograms) }
        let places = GrantResolver(foreign: foreign).places(
            write: writable(of: plan), read: plan.read, mention: mention)
        for path in places.write { try rules.allow(path, .write, mention) }
        for path in places.read { try rules.allow(path, .read, mention) }
        if plan.hasOwnMemory { try rules.allow(OwnPlaces.memory, .write, mention) }
        for path in Self.programs(of: plan, foreign: foreign, mention) {
            try rules.allow(path, [.execute, .read], mention)
        }
        for folder in ProgramNeighbours.folders(of: plan.execute)
        where !places.write.contains(where: { GrantResolver.lies(folder, in: $0) }) {
            for name in ProgramNeighbours(in: folder).names {
                try rules.allow("\(folder)/\(name)", [.execute, .readFile]) { _, _ in }
            }
        }
        if library >= 0 { try rules.add(library, .readFile, plan.library) }
        // The shared libraries beside it that it may have been linked with ($ORIGIN). Not their folder: that may be the
        // manifest's folder, the host's state or a user's home.
        if let folder = system.neighbours(of: plan.library),
            !places.write.contains(where: { GrantResolver.lies(folder, in: $0) })
        {
            for name in SharedLibraries(in: folder).names {
                try rules.allow("\(folder)/\(name)", .readFile) { _, _ in }
            }
        }
        return rules.take()
    }

    /// The places of the programs that the plan names, with their interpreters and loaders; folders stay as they are.
    static func programs(
        of plan: LaunchPlan, foreign: Set<String>, _ mention: (String, GrantResolver.Finding) -> Void = { _, _ in }
    ) -> [String] {
        guard !plan.execute.isEmpty else { return [] }
        let paths = plan.execute.flatMap { (try? ProgramFile.chain(of: $0)) ?? [$0] }
        return GrantResolver(foreign: foreign).places(write: [], read: paths) { path, finding in
            // Links among the system's programs are the rule.
            if case .link = finding { return }
            mention(path, finding)
        }.read
    }

    /// What the rules of a plan for programs allow, by places without links, for one who explains refusals.
    static func grants(of plan: LaunchPlan) -> [SystemGrants.Grant] {
        let (system, foreign) = (SystemGrants(), Set(plan.foreign))
        let places = GrantResolver(foreign: foreign).places(write: writable(of: plan), read: plan.read) { _, _ in }
        let neighbours = ProgramNeighbours.folders(of: plan.execute).flatMap { folder in
            ProgramNeighbours(in: folder).names.map { "\(folder)/\($0)" }
        }
        return system.ofPrograms + (plan.ports.isEmpty ? [] : system.withNetwork)
            + (places.write + (plan.hasOwnMemory ? [OwnPlaces.memory] : [])).map {
                SystemGrants.Grant(path: $0, access: .write)
            }
            + places.read.map { SystemGrants.Grant(path: $0, access: .read) }
            + (programs(of: plan, foreign: foreign) + neighbours).map {
                SystemGrants.Grant(path: $0, access: [.execute, .read])
            }
    }

    private static func writable(of plan: LaunchPlan) -> [String] {
        [plan.stateDirectory, plan.cacheDirectory].filter { !$0.isEmpty } + plan.write
    }

    private consuming func take() -> Descriptor { Descriptor(adopting: rules.take()) }

    /// Files of the system. They may go or come back at any time, and links that root made are followed.
    private func allowSystem(_ grants: [SystemGrants.Grant]) throws(ConfinementError) {
        for grant in grants {
            guard let file = try? Descriptor.open(grant.path, .O_PATH) else { continue }
            try add(file.number, grant.access, grant.path)
        }
    }

    private func allow(ports: [UInt16]) throws(ConfinementError) {
        guard LandlockRight.connect.isKnown(to: abi) else { return }
        for port in ports {
            try ConfinementError.at(.ruleset) { () throws(SystemError) in
                try rules.allow(port: port, LandlockRight.connect.mask)
            }
        }
    }

    /// A granted path without links. One that was removed or has become a link gets no rule.
    private func allow(
        _ path: String, _ access: LandlockAccess, _ mention: (String, GrantResolver.Finding) -> Void
    ) throws(ConfinementError) {
        var file: Descriptor?
        do throws(SystemError) { file = try Folder.openWithoutLinks(path) } catch {
            return mention(path, .absent(error.code.rawValue))
        }
        guard let number = file.number else { return }
        let isFolder = FileSystem.facts(lent: number)?.isFolder == true
        try add(number, isFolder ? access : access.intersection(.ofFiles), path)
    }

    private func add(_ file: Int32, _ access: LandlockAccess, _ path: String) throws(ConfinementError) {
        let known = access.intersection(handled)
        try ConfinementError.at(.ruleset) { () throws(SystemError) in
            try rules.allow(file, known.rawValue, naming: path)
        }
    }
}
