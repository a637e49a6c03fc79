import Confining
import Linux
import Wire

/// The files that a plan allows, by places: what Landlock's rules are made of, and what one who explains refusals compares with.
struct PlanGrants {
    /// Files of the system, of which nothing is said when they are missing.
    let system: [SystemGrants.Grant]
    /// What the plan names, without links.
    let named: [SystemGrants.Grant]
    /// Programs beside those that the plan names, and libraries beside its own, of which nothing is said either.
    let beside: [SystemGrants.Grant]

    var all: [SystemGrants.Grant] { system + named + beside }

    /// - Parameters:
    ///   - foreign: folders that applications may write, whosever: no link there is followed.
    ///   - mention: called for each granted path that is left out, or is a link.
    init(
        _ plan: LaunchPlan, system: SystemGrants, foreign: Set<String>,
        mention: (_ path: String, _ finding: GrantResolver.Finding) -> Void = { _, _ in }
    ) {
        typealias Grant = SystemGrants.Grant
        self.system =
            system.always + (plan.ports.isEmpty ? [] : system.withNetwork)
            + (plan.execute.isEmpty ? [] : system.forPrograms)
        let own = [plan.stateDirectory, plan.cacheDirectory].filter { !$0.isEmpty }
        let places = GrantResolver(foreign: foreign).places(write: own + plan.write, read: plan.read, mention: mention)
        let writable = places.write + (plan.hasOwnMemory ? [OwnPlaces.memory] : [])
        named =
            writable.map { Grant(path: $0, access: .write) } + places.read.map { Grant(path: $0, access: .read) }
            + Self.programs(of: plan, foreign: foreign, mention).map { Grant(path: $0, access: [.execute, .read]) }
        func isWritable(_ folder: String) -> Bool { places.write.contains { GrantResolver.lies(folder, in: $0) } }
        let programs = ProgramNeighbours.folders(of: plan.execute).filter { !isWritable($0) }.flatMap { folder in
            ProgramNeighbours(in: folder).names.map {
                Grant(path: "\(folder)/\($0)", access: [.execute, .readFile])
            }
        }
        // The shared libraries beside it that it may have been linked with ($ORIGIN). Not their folder: that may be the
        // manifest's folder, the host's state or a user's home.
        let folder = system.neighbours(of: plan.library).flatMap { isWritable($0) ? nil : $0 }
        let libraries = folder.map { folder in
            SharedLibraries(in: folder).names.map { Grant(path: "\(folder)/\($0)", access: .readFile) }
        }
        beside = programs + (libraries ?? [])
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
}
