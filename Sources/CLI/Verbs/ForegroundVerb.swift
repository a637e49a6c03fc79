import Control

/// `taskhost foreground APP`
enum ForegroundVerb: ApplicationVerb {
    static let name = "foreground"
    static let summary = "open an application"
    static let help = """
        usage: taskhost foreground APP

        Opens an application for the user: the host launches it if it is not running. It becomes active, and stays
        active until it is sent to the background or quit. Opening ends the effect of taskhost quit.
        """
    static let route = Route.bringToForeground
}
