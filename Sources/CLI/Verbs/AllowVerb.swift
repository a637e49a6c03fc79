import Control

/// `taskhost allow APP`
enum AllowVerb: ApplicationVerb {
    static let name = "allow"
    static let summary = "turn background refresh on again for an application"
    static let help = """
        usage: taskhost allow APP

        Turns background refresh on again for an application for which taskhost deny APP turned it off.
        """
    static let route = Route.allowRefresh
}
