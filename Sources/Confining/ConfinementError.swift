package import Linux

/// A step of the confinement that failed. A worker that gets one must end: it is confined in part or not at all.
package struct ConfinementError: Error, Sendable, Equatable {
    /// The step that failed, in the order of the confinement.
    package enum Step: String, Sendable, CaseIterable {
        case signals, privileges, filterProgram, placement, session, descriptors, limits, user
        case stateDirectory, lifetime, landlock, landlockMissing, ruleset, filter
    }

    package var step: Step
    /// The errno of the call that failed; 0 when no call did.
    package var code: Int32
    /// The path, number or call concerned; empty for none.
    package var object: String

    package init(_ step: Step, code: Int32, object: String = "") {
        self.step = step
        self.code = code
        self.object = object
    }

    /// - Parameter object: nil: the error's own object, or the call that failed.
    package init(_ step: Step, _ error: SystemError, object: String? = nil) {
        self.init(
            step, code: error.code.rawValue, object: object ?? (error.object.isEmpty ? error.call : error.object))
    }

    /// Calls `body`, which belongs to that step. Allocates nothing.
    package static func at<R: ~Copyable>(
        _ step: Step, naming object: String? = nil, _ body: () throws(SystemError) -> R
    ) throws(ConfinementError) -> R {
        do throws(SystemError) { return try body() } catch { throw ConfinementError(step, error, object: object) }
    }
}

extension ConfinementError: CustomStringConvertible {
    /// One sentence: what failed, why, and what to do.
    package var description: String { sentence(of: "the worker") }

    /// The same of another process than a worker.
    package func sentence(of who: String) -> String {
        let subject = object.isEmpty ? "" : " (\(object))"
        let cause = code == 0 ? "" : ": \(Errno(code))"
        return "\(who) could not \(step.purpose)\(subject)\(cause); \(step.advice)"
    }
}

extension ConfinementError.Step {
    /// The purpose of the step, after "could not".
    fileprivate var purpose: String {
        switch self {
        case .signals: "reset its signals"
        case .privileges: "give up the right to gain privileges"
        case .filterProgram: "prepare its system call filter"
        case .placement: "enter its control group"
        case .session: "start a session of its own"
        case .descriptors: "arrange its descriptors"
        case .limits: "set its resource limits"
        case .user: "become its own user"
        case .stateDirectory: "enter its state folder"
        case .lifetime: "bind its life to the host's"
        case .landlock: "confine its files with Landlock"
        case .landlockMissing: "confine its files: this kernel offers no Landlock"
        case .ruleset: "prepare its Landlock rules"
        case .filter: "install its system call filter"
        }
    }

    /// What the user can do about it.
    fileprivate var advice: String {
        switch self {
        case .signals, .session, .descriptors, .lifetime: "report this as a fault of taskhost"
        case .privileges, .filter: "run the host on a kernel with seccomp, and in no container that forbids it"
        case .filterProgram: "install a libseccomp that knows this machine"
        case .placement: "check that the host may write its control groups, or start it under a delegated one"
        case .limits: "start the host with higher limits, or lower those of the manifest"
        case .user: "let the host keep CAP_SETUID and CAP_SETGID, or run it as an ordinary user"
        case .stateDirectory:
            "make the folders above it searchable for that user (chmod o+x), or choose another --state"
        case .landlock, .ruleset: "check the paths of the manifest's permissions and the kernel's limits"
        case .landlockMissing:
            "use Linux 5.13 or newer with landlock in the lsm= boot parameter, or set \"enforcement\": \"bestEffort\""
        }
    }
}
