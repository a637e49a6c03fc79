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
    ///   - notes: gets a line for each granted path that gets no rule, or is a link.
    /// - Throws: `.ruleset`.
    static func make(
        plan: LaunchPlan, library: Int32, system: SystemGrants, abi: Int32, foreign: Set<String>, notes: inout String
    ) throws(ConfinementError) -> Descriptor {
        func mention(_ path: String, _ finding: GrantResolver.Finding) {
            if case .absent = finding, plan.mayBeMissing.contains(path) { return }
            notes += "taskhost: \(sentence(finding, of: path))\n"
        }
        let handled = LandlockAccess.handled(by: abi)
        let made = try ConfinementError.at(.ruleset) { () throws(SystemError) in
            try Landlock(
                files: handled.rawValue,
                network: LandlockRight.network(by: abi, anyPort: plan.allowsAnyPort),
                scopes: LandlockRight.mask(of: .scopes, by: abi) & (plan.has(.kill) ? ~LandlockRight.signal.mask : .max)
            )
        }
        let rules = LandlockRuleset(rules: made, abi: abi, handled: handled)
        if !plan.allowsAnyPort { try rules.allow(ports: plan.ports) }
        let grants = PlanGrants(plan, system: system, foreign: foreign, mention: mention)
        try rules.allowSystem(grants.system)
        for grant in grants.named { try rules.allow(grant.path, grant.access, mention) }
        for grant in grants.beside { try rules.allow(grant.path, grant.access) { _, _ in } }
        if library >= 0 { try rules.add(library, .readFile, plan.library) }
        return rules.take()
    }

    private static func sentence(_ finding: GrantResolver.Finding, of path: String) -> String {
        switch finding {
        case .absent(let code): "no access was granted to \(path): \(Errno(code))"
        case .untrusted(let link):
            "no access was granted to \(path): \(link) is a link in a folder that an application may write"
        case .link(let place): "the granted path \(path) is a link: it grants \(place)"
        }
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
