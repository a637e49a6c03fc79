import TaskModel
import Workers

extension LaunchExamination {
    /// Why the library is at fault, and where it is, if that could be seen.
    func sentence(after span: TimeSpan) -> String {
        "its worker was not ready within \(span): a constructor or launch() of the library hangs; "
            + "\(whereabouts), after \(used ?? .zero) of processor time"
    }

    /// Where it is, or its activity.
    var whereabouts: String {
        if let place { return place }
        return switch state {
        case "R": "it is computing"
        case "S": "it waits for something"
        case "D": "it waits in the kernel"
        case "T": "it is stopped"
        default: "its state is unknown"
        }
    }
}
