extension Outcome {
    /// Whether a manifest's `onFailure` answers it, when it is not tried again.
    package var isFailure: Bool {
        switch self {
        case .succeeded, .cancelled, .interrupted, .deferred: false
        case .failed, .expired, .overran, .unreported, .exceededCPU, .exceededMemory, .exceededDisk, .crashed, .exited,
            .refused:
            true
        }
    }
}
