package import Linux
package import TaskModel

/// Which users of the machine applications may run as.
package struct AccountRules: Sendable {
    /// Applications that may run as user 0, by the host's configuration.
    private let rootApplications: Set<String>
    /// The users that the host gives to applications itself, and to the transfer process.
    private let own: ClosedRange<UInt32>
    private let allowsUnconfined: Bool

    package init(_ configuration: HostConfiguration) {
        rootApplications = Set(configuration.rootApplications)
        own = configuration.users.lowerBound...configuration.transferUser
        allowsUnconfined = configuration.allowsUnconfined
    }

    /// Why an application cannot run as the user that its manifest names.
    package struct Fault: Error {
        /// The key of the manifest.
        package var key: String
        package var found: String
        package var expected: String
        package var hint: String
    }

    /// Whether its workers are of a group that the machine lets send ICMP echo requests (icmp(7)).
    ///
    /// - Parameter account: nil: the host's own user, or one that a root host makes up.
    package func mayPing(as account: Account?, _ groups: ClosedRange<UInt32>?) -> Bool {
        guard let groups else { return false }
        if let account { return ([account.group] + account.groups).contains(where: groups.contains) }
        guard ThisProcess.isRoot else { return ThisProcess.groups.contains(where: groups.contains) }
        return groups.contains(own.lowerBound) && groups.contains(own.upperBound)
    }

    /// The user that the application's manifest names, and without confinement in any case; nil where its workers' user is the host's
    /// choice.
    ///
    /// - Throws: a user that the machine does not have, or as whom the application may not run.
    package func account(of definition: ApplicationDefinition) throws(Fault) -> Account? {
        try requireOwnSecrets(definition)
        let isUnconfined = definition.confinement == .unconfined
        if isUnconfined { try requireUnconfined(definition) }
        guard let name = definition.user else { return isUnconfined ? Self.hostUser : nil }
        let account: Account
        do throws(SystemError) {
            account = try Account(named: name, group: definition.group)
        } catch {
            let key = error.call == "group" ? "group" : "user"
            let isMissing = error.code == .ENOENT
            throw Fault(
                key: key, found: isMissing ? "\"\(error.object)\", which this machine does not have" : "\(error)",
                expected: "a \(key) of this machine",
                hint: isMissing ? "see getent \(key == "user" ? "passwd" : "group"), or create it" : "try again")
        }
        guard ThisProcess.isRoot else {
            if account.user == ThisProcess.user, definition.group == nil || account.group == ThisProcess.group {
                return isUnconfined ? account : nil
            }
            throw Fault(
                key: "user", found: "\"\(name)\", who is not the host's user",
                expected: "no other user, because only root can become one",
                hint: "leave it out, or start the host as root")
        }
        let isOwn = isUnconfined && !Self.isRolledOut(definition)
        if account.user == 0 || account.group == 0, !isOwn, !rootApplications.contains(definition.identifier) {
            throw Fault(
                key: "user", found: "\"\(name)\", whose user or group is root's",
                expected: "an application that \"rootApplications\" of the host's configuration names",
                hint: "name another user, or add \"\(definition.identifier)\" there")
        }
        if own.contains(account.user) {
            throw Fault(
                key: "user",
                found: "\"\(name)\", whose number \(account.user) is one that the host gives to its own processes",
                expected: "a user outside of \"users\" of the host's configuration, and not the one after them",
                hint: "choose other numbers there")
        }
        return account
    }

    /// The folder in a host's state folder where the manifests are that a fleet gives to it.
    package static let rolledOutFolder = "fleet-manifests"

    /// A user of the fleet's database wrote it, who need not be root or the host's user.
    private static func isRolledOut(_ definition: ApplicationDefinition) -> Bool {
        definition.manifestFolder.split(separator: "/").last.map(String.init) == rolledOutFolder
    }

    /// A root host reads the files of secrets with root's rights.
    private func requireOwnSecrets(_ definition: ApplicationDefinition) throws(Fault) {
        guard ThisProcess.isRoot, Self.isRolledOut(definition), !rootApplications.contains(definition.identifier),
            let secret = definition.tasks.lazy.flatMap(\.secrets).first
        else { return }
        throw Fault(
            key: "secrets", found: "\"\(secret.path)\", which the host would read as root, in a manifest of the fleet",
            expected: "an application that \"rootApplications\" of the host's configuration names",
            hint: "add \"\(definition.identifier)\" there, or put the manifest onto the host by hand")
    }

    /// The host's own user, whether the user database has him or not.
    private static var hostUser: Account {
        if let name = Account.name(of: ThisProcess.user), let known = try? Account(named: name) { return known }
        return Account(
            name: "", user: ThisProcess.user, group: ThisProcess.group, groups: [],
            home: ThisProcess.variable("HOME") ?? "/")
    }

    /// Nobody but root and the host's user may write what is run with all of a user's rights. So root's own manifest needs no second
    /// permission: whoever can write it is root already.
    private func requireUnconfined(_ definition: ApplicationDefinition) throws(Fault) {
        let found = "\"none\""
        guard allowsUnconfined else {
            throw Fault(
                key: "confinement", found: found, expected: "\"full\": this host's \"allowUnconfined\" is false",
                hint:
                    "leave it out and grant what the programs need in \"permissions\", or change the host's configuration"
            )
        }
        if ThisProcess.isRoot, definition.user == nil {
            throw Fault(
                key: "confinement", found: "\(found) without a \"user\"",
                expected: "a \"user\" whose rights the programs have",
                hint: "name the user that cron would run them as, \"root\" if that is root")
        }
        if let fault = FolderFault.fault(onWayTo: definition.manifestFolder) {
            throw Fault(
                key: "confinement", found: "\(found) in a manifest that others could replace: \(fault.found)",
                expected: "a folder, and folders above it, of root or the host's user",
                hint: "move the manifest, or take the right away: chmod go-w")
        }
    }
}

extension FolderFault {
    /// What is wrong, as a part of a sentence.
    fileprivate var found: String {
        switch self {
        case .system(let error): "\(error)"
        case .foreign(let path, let user): "\(path) belongs to user \(user)"
        case .writable(let path, _): "\(path) can be written by others"
        }
    }
}
