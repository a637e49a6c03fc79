import Control

/// `taskhost allow APP`
enum AllowVerb: ApplicationVerb {
    static let name = "allow"
    static let summary = "turn on an application's background refresh"
    static let help = """
        usage: taskhost allow APP

        Turns on background refresh for an application for which it was turned off (taskhost deny): its refresh requests may
        start again.
        """
    static let route = Route.allowRefresh
}
