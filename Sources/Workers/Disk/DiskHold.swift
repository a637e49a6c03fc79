package import Linux

/// How the disk budget of an application's folders is enforced.
package enum DiskHold: Sendable, Equatable {
    /// The file system counts for this project, and refuses what goes beyond.
    case quota(project: UInt32)
    /// A thread of the host weighs them now and then, because:
    case weight(Cause)

    package var project: UInt32? { if case .quota(let project) = self { project } else { nil } }

    package enum Cause: Sendable, Equatable {
        /// The file system enforces no project quotas, or the kernel has none.
        case noQuotas
        /// The host may not set any.
        case noRight
        /// Refused writes would not be announced.
        case unheard
        /// The folder, or one above it, belongs to a project that the host did not give it.
        case foreign(project: UInt32)
        /// The folder is on another file system than the state folder.
        case elsewhere
        /// All numbers of the host's range are in use by others.
        case noNumber
        /// The host lacked a descriptor to find out.
        case noDescriptor
        case failed(SystemError)
    }
}

extension DiskHold: CustomStringConvertible {
    /// Such as `project quota`. The folder has the number; with it each application would have a text of its own.
    package var description: String {
        switch self {
        case .quota: "project quota"
        case .weight(let cause): "weighed (\(cause))"
        }
    }
}

extension DiskHold.Cause: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noQuotas: "no project quotas here"
        case .noRight: "this host may not set project quotas"
        case .unheard: "the kernel does not announce here what quotas refuse"
        case .foreign(let project): "its folder belongs to project \(project), which is not the host's"
        case .elsewhere: "its folder lies on another file system than the state folder"
        case .noNumber: "no number of a project is free"
        case .noDescriptor: "the host lacked a descriptor for quotas"
        case .failed(let error): "\(error)"
        }
    }
}
