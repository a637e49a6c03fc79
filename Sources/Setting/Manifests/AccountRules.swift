import Linux
import TaskModel

/// Which users of the machine applications may run as.
package struct AccountRules: Sendable {
    /// Applications that may run as user 0, by the host's configuration.
    private let rootApplications: Set<String>
    /// The users that the host gives to applications itself, and to the transfer process.
    private let own: ClosedRange<UInt32>

    package init(_ configuration: HostConfiguration) {
        rootApplications = Set(configuration.rootApplications)
        own = configuration.users.lowerBound...configuration.transferUser
    }

    /// Why an application cannot run as the user that its manifest names.
    struct Fault: Error {
        /// The key of the manifest.
        var key: String
        var found: String
        var expected: String
        var hint: String
    }

    /// The user that the application's manifest names; nil where its workers' user is the host's choice.
    ///
    /// - Throws: a user that the machine does not have, or as whom the application may not run.
    func account(of definition: ApplicationDefinition) throws(Fault) -> Account? {
        guard let name = definition.user else { return nil }
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
                return nil
            }
            throw Fault(
                key: "user", found: "\"\(name)\", who is not the host's user",
                expected: "no other user, because only root can become one",
                hint: "leave it out, or start the host as root")
        }
        if account.user == 0 || account.group == 0, !rootApplications.contains(definition.identifier) {
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
}
