import Control

/// `taskhost background APP`
enum BackgroundVerb: ApplicationVerb {
    static let name = "background"
    static let summary = "send an application to the background"
    static let help = """
        usage: taskhost background APP

        Sends an application to the background: it gets the background time of the limits profile, and is then
        suspended.
        """
    static let route = Route.sendToBackground
}
