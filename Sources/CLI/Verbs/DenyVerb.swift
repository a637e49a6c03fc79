import Control

/// `taskhost deny APP`
enum DenyVerb: ApplicationVerb {
    static let name = "deny"
    static let summary = "turn background refresh off for an application"
    static let help = """
        usage: taskhost deny APP

        Turns background refresh off for one application, as the switch in iOS's settings does: its refresh requests are
        refused, those that are pending wait until taskhost allow APP. Other tasks of it go on.
        """
    static let route = Route.denyRefresh
}
