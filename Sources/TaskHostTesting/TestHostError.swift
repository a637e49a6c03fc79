/// Why the kit cannot do what a test asks for.
public enum TestHostError: Error, Equatable, CustomStringConvertible {
    /// The manifest has faults: a sentence each.
    case manifest([String])
    /// The application's launch threw an error.
    case launch(String)
    /// No task of the manifest has the identifier.
    case unknownTask(String)
    /// The transfer is over, or was not resumed.
    case unknownTransfer(String)
    /// No run of the identifier is in progress.
    case notRunning(String)
    /// The run has not ended within this time of the real clock.
    case noEnd(String, within: Duration)
    /// The run was not started.
    case notStarted(String, why: String)
    /// The host was closed.
    case closed

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .manifest(let faults): faults.joined(separator: "\n")
        case .launch(let sentence): "the application was not launched; \(sentence); look at the closure of TestHost"
        case .unknownTask(let identifier): "no task has the identifier; \(identifier); add it to the manifest's tasks"
        case .unknownTransfer(let transfer):
            "the transfer does not wait for its server; \(transfer); resume it, and answer it once"
        case .notRunning(let identifier): "no run is in progress; \(identifier); start one with start or advance"
        case .noEnd(let identifier, let time):
            "the run has not ended within \(time) of real time; \(identifier); let its handler call setTaskCompleted, or "
                + "expire it"
        case .notStarted(let identifier, let why): "the run was not started; \(identifier); \(why)"
        case .closed: "the host was closed; TestHost; make a new one for each test"
        }
    }
}
