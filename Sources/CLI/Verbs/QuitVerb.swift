import Control

/// `taskhost quit APP`
enum QuitVerb: ApplicationVerb {
    static let name = "quit"
    static let summary = "quit an application, as from the app switcher"
    static let help = """
        usage: taskhost quit APP

        Removes an application from the app switcher: its process ends, and none of its requests starts until the user
        opens it with taskhost foreground.
        """
    static let route = Route.quitApplication
}
