import Conditions
import Linux
package import Workers

/// The control groups that a host works with, found where they can do most.
///
/// Where the kernel would not limit memory and processes because the host shares its control group with others, as in a
/// login session under systemd, it asks systemd for a delegated scope and moves there.
package struct HostGroups {
    /// Limits that the kernel does not enforce here.
    package struct Missing: Sendable, Equatable {
        package var what: String
        package var remedy: String

        package init(what: String, remedy: String) {
            self.what = what
            self.remedy = remedy
        }

        package var sentence: String { "\(what); \(remedy)" }
    }

    package let groups: ControlGroups
    /// nil: nothing is missing, or the configuration wants it so.
    package let missing: Missing?

    /// - Parameters:
    ///   - name: of the groups and the scope; one living host's alone.
    ///   - forced: the configuration's tier, in the host.
    init(name: String, forced: ControlTier?) throws(ControlGroupError) {
        var groups = try ControlGroups.probe(name: name, forced: forced)
        var refusal: String?
        if forced == nil, !Self.isComplete(groups), ScopeWish.current().isSensible {
            _ = groups.remove()  // they lie where the host is about to leave
            do throws(SystemdManager.Fault) {
                try DelegatedScope.enter(name, process: ThisProcess.pid)
            } catch {
                refusal = error.sentence
            }
            groups = try ControlGroups.probe(name: name)
        }
        self.groups = groups
        // A forced tier was chosen with its limits.
        missing =
            forced != nil || Self.isComplete(groups)
            ? nil : Self.advice(refusal, kernel: try? FileText.read("/sys/fs/cgroup/cgroup.controllers", limit: 4096))
    }

    /// The host's groups, with nothing in them that a dead host left.
    package static func clear(_ place: HostPlace) throws(HostError) -> HostGroups {
        let name = try HostError.rethrowing(system: GroupNaming.parent(of: place.state.path))
        do throws(ControlGroupError) {
            let found = try HostGroups(
                name: name,
                forced: place.configuration.control.flatMap { ControlTier(rawValue: $0) })
            try found.groups.emptyLeftovers()
            place.state.workers.endLeftovers(of: place.state.path)
            Failpoint.pass(.clearAfter)
            return found
        } catch {
            throw .control("\(error)")
        }
    }

    package static func isComplete(_ groups: ControlGroups) -> Bool {
        groups.enforces(.memory) == .kernel && groups.enforces(.processes) == .kernel
    }

    /// - Parameter kernel: the controllers of the root of cgroup 2 (cgroups(7)); nil: it is not mounted there.
    static func advice(_ refusal: String?, kernel: String?) -> Missing {
        if let kernel, !kernel.split(whereSeparator: \.isWhitespace).contains("memory") {
            return Missing(
                what: "the kernel does not limit memory here: it was started without that controller",
                remedy: "add cgroup_enable=memory to the kernel's command line (Raspberry Pi OS: in "
                    + "/boot/firmware/cmdline.txt), and restart the machine")
        }
        let option = ThisProcess.isRoot ? "" : " --user"
        let reason = refusal.map { " (systemd refused a scope: \($0))" } ?? ""
        return Missing(
            what: "the kernel does not limit memory and processes here\(reason)",
            remedy:
                "start the host in a delegated control group: systemd-run\(option) --scope -p Delegate=yes taskhost …, "
                + "or a unit with Delegate=yes")
    }
}
