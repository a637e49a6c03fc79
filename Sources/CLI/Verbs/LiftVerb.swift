import Control

/// `taskhost lift APP`
enum LiftVerb: ApplicationVerb {
    static let name = "lift"
    static let summary = "end an application's quarantine"
    static let help = """
        usage: taskhost lift APP

        Ends the quarantine of an application that crashed again and again: its requests may start at once. It comes back
        when the application crashes once more.
        """
    static let route = Route.liftQuarantine
}
