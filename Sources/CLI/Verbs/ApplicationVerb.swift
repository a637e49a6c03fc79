import Control
import JSON

/// A verb that does one thing with one application.
protocol ApplicationVerb: Verb {
    static var route: Route { get }
}

extension ApplicationVerb {
    static var options: [Option] { [.utc, .state, .json] }

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let identifier = try arguments.onlyWord(
            of: name, "application", "write its identifier, see taskhost list --json")
        return try ApplicationMove.run(route, identifier, arguments, terminal)
    }
}

/// One action on one application, and the application's state afterwards.
enum ApplicationMove {
    static func run(
        _ route: Route, _ identifier: String, _ arguments: Arguments, _ terminal: Terminal
    ) throws(Failure) -> Int32 {
        let document = try HostAccess.open(arguments).document(route, identifier)
        let forceQuit = document["forceQuit"]?.bool == true ? ", quit by the user" : ""
        let quarantine =
            terminal.times.textIfAny(document["quarantinedUntil"]).map { ", in quarantine until \($0)" } ?? ""
        let refresh = document["refreshDenied"]?.bool == true ? ", background refresh turned off" : ""
        terminal.print(
            JSONOutput(document),
            or: "\(identifier) is \(ListCell.text(document["state"]))\(forceQuit)\(quarantine)\(refresh)",
            for: arguments)
        return ExitStatus.success
    }
}
