import Confining
import CLinux
import Glibc
import Linux
import Wire

/// A Landlock ruleset for one plan: what a worker with this plan may reach.
struct LandlockRuleset {
    private let number: Int32
    private let abi: Int32

    /// Makes the ruleset and returns its descriptor. It restricts nobody until a worker enters it, so it can be made
    /// before the fork and serve several workers.
    ///
    /// - Parameters:
    ///   - library: the descriptor of the application's library, or -1.
    ///   - foreign: folders that applications may write, whosever.
    ///   - mention: called for each granted path that gets no rule, or is a link.
    /// - Throws: `.ruleset`.
    static func make(
        plan: LaunchPlan, library: Int32, template: borrowing ConfinementTemplate, foreign: Set<String>,
        mention: (_ path: String, _ finding: GrantResolver.Finding) -> Void
    ) throws(ConfinementError) -> Descriptor {
        let abi = template.landlockABI
        let made = clinux_landlock_ruleset(
            LandlockAccess.handled(by: abi).rawValue,
            abi >= 4 ? LandlockAccess.network(anyPort: plan.allowsAnyPort) : 0,
            abi >= 6 ? LandlockAccess.scopes : 0)
        guard made >= 0 else { throw ConfinementError(.ruleset, code: -made, object: "landlock_create_ruleset") }
        let descriptor = Descriptor(adopting: made)
        let rules = LandlockRuleset(number: made, abi: abi)
        try rules.allowSystem(template.system.always)
        if !plan.ports.isEmpty {
            try rules.allowSystem(template.system.withNetwork)
            if !plan.allowsAnyPort { try rules.allow(ports: plan.ports) }
        }
        let places = GrantResolver(foreign: foreign).places(
            write: [plan.stateDirectory, plan.cacheDirectory].filter { !$0.isEmpty } + plan.write, read: plan.read,
            mention: mention)
        for path in places.write { try rules.allow(path, .write, mention) }
        for path in places.read { try rules.allow(path, .read, mention) }
        if library >= 0 { try rules.add(library, .readFile, plan.library) }
        // The shared libraries beside it that it may have been linked with ($ORIGIN). Not their folder: the manifest, the
        // host's state or somebody's home may be that.
        if let folder = template.system.neighbours(of: plan.library),
            !places.write.contains(where: { GrantResolver.lies(folder, in: $0) })
        {
            for name in SharedLibraries(in: folder).names {
                try rules.allow("\(folder)/\(name)", .readFile) { _, _ in }
            }
        }
        return descriptor
    }

    /// Files of the system. They may go or come back at any time, and links that root made are followed.
    private func allowSystem(_ grants: [SystemGrants.Grant]) throws(ConfinementError) {
        for grant in grants {
            let opened = clinux_open_path(grant.path)
            guard opened >= 0 else { continue }
            let file = Descriptor(adopting: opened)
            try add(file.number, grant.access, grant.path)
        }
    }

    private func allow(ports: [UInt16]) throws(ConfinementError) {
        guard abi >= 4 else { return }
        for port in ports {
            let code = clinux_landlock_allow_port(number, port, LandlockAccess.connect)
            guard code == 0 else { throw ConfinementError(.ruleset, code: -code, object: "port \(port)") }
        }
    }

    /// A granted path, found free of links. One that has vanished or become a link meanwhile gets no rule.
    private func allow(
        _ path: String, _ access: LandlockAccess, _ mention: (String, GrantResolver.Finding) -> Void
    ) throws(ConfinementError) {
        let opened = clinux_open_path_without_links(path)
        guard opened >= 0 else { return mention(path, .absent(-opened)) }
        let file = Descriptor(adopting: opened)
        var status = clinux_stat_t()
        let code = clinux_fstat(file.number, &status)
        guard code == 0 else { throw ConfinementError(.ruleset, code: -code, object: path) }
        let isFolder = status.mode & UInt32(S_IFMT) == UInt32(S_IFDIR)
        try add(file.number, isFolder ? access : access.intersection(.ofFiles), path)
    }

    private func add(_ file: Int32, _ access: LandlockAccess, _ path: String) throws(ConfinementError) {
        let known = access.intersection(.handled(by: abi))
        let code = clinux_landlock_allow_file(number, file, known.rawValue)
        guard code == 0 else { throw ConfinementError(.ruleset, code: -code, object: path) }
    }
}
