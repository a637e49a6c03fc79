import Control

/// `taskhost foreground APP`
enum ForegroundVerb: ApplicationVerb {
    static let name = "foreground"
    static let summary = "open an application"
    static let help = """
        usage: taskhost foreground APP

        Opens an application as the user does: it is launched if it does not run, becomes active, and stays until it is
        sent to the background or quit. Opening lifts what quit has closed.
        """
    static let route = Route.bringToForeground
}
