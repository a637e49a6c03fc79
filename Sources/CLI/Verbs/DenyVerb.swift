import Control

/// `taskhost deny APP`
enum DenyVerb: ApplicationVerb {
    static let name = "deny"
    static let summary = "turn off an application's background refresh"
    static let help = """
        usage: taskhost deny APP

        Turns off background refresh for an application: its refresh tasks do not start, and it can submit none, until it is
        turned on again (taskhost allow). Other kinds of work go on. For all applications at once: taskhost device set
        refresh=off.
        """
    static let route = Route.denyRefresh
}
