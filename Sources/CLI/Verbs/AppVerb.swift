import Control
import Manifests

/// `taskhost app unquarantine APP`, `taskhost app refresh on|off APP`
enum AppVerb: Verb {
    static let name = "app"
    static let summary = "end an application's quarantine, or switch its background refresh"
    static let help = """
        usage: taskhost app unquarantine APP
               taskhost app refresh on|off APP

        unquarantine ends the quarantine of an application that crashed again and again: its requests may start at once.
        The host quarantines it anew when it crashes again. refresh off turns background refresh off for one
        application, like the switch in the settings of iOS: the host refuses its refresh requests, and pending ones
        wait until taskhost app refresh on APP. Its other tasks run.

        The older verbs lift APP, deny APP and allow APP do the same as unquarantine, refresh off and refresh on.
        """
    static let options: [Option] = [.utc, .state, .json]

    /// Former verbs, and the words of this one that replace them.
    static let aliases = ["lift": ["unquarantine"], "deny": ["refresh", "off"], "allow": ["refresh", "on"]]

    /// What to write instead of a former verb, such as `app unquarantine`.
    static func meaning(of alias: String) -> String? { aliases[alias].map { ([name] + $0).joined(separator: " ") } }

    static func run(_ arguments: Arguments, _ terminal: Terminal) throws(Failure) -> Int32 {
        let words = arguments.words
        let route: Route? =
            switch words.dropLast() {
            case ["unquarantine"]: .liftQuarantine
            case ["refresh", "on"]: .allowRefresh
            case ["refresh", "off"]: .denyRefresh
            default: nil
            }
        guard let route, let identifier = words.last else {
            let known = ["unquarantine", "refresh"]
            if let word = words.first, !known.contains(word),
                let near = Nearest.match(for: word, among: known + aliases.keys.sorted())
            {
                throw .usage(
                    "unknown word \(word); taskhost app; did you mean taskhost \(meaning(of: near) ?? "\(name) \(near)")?"
                )
            }
            throw .usage(
                "unquarantine or refresh on|off, and one application are needed; taskhost app; "
                    + "write taskhost app unquarantine APP, see taskhost list --json for applications")
        }
        return try ApplicationMove.run(route, identifier, arguments, terminal)
    }
}
