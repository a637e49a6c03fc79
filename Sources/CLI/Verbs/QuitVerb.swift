import Control

/// `taskhost quit APP`
enum QuitVerb: ApplicationVerb {
    static let name = "quit"
    static let summary = "quit an application, as from the switcher"
    static let help = """
        usage: taskhost quit APP

        Removes an application from the switcher: its process ends, and none of its requests starts until somebody opens
        it with taskhost foreground.
        """
    static let route = Route.quitApplication
}
