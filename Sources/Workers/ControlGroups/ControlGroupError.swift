package import Linux

/// Why control over process trees could not be set up or kept.
package enum ControlGroupError: Error, Sendable, Equatable {
    /// The tier is not available here; the text says what is missing.
    case unavailable(ControlTier, missing: String)
    /// A folder or file of the hierarchy could not be made, read or removed.
    case failed(SystemError)
    /// Processes of an earlier host outlived SIGKILL for longer than was waited.
    case notEmptied(folder: String, alive: Int)
}

extension ControlGroupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let tier, let missing): "control tier \(tier.rawValue) cannot be had here: \(missing)"
        case .failed(let error): "cgroup: \(error)"
        case .notEmptied(let folder, let alive):
            "\(alive) processes of an earlier host do not end; \(folder); wait for their disk or device, or reboot"
        }
    }
}
