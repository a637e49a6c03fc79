import Control

/// `taskhost background APP`
enum BackgroundVerb: ApplicationVerb {
    static let name = "background"
    static let summary = "send an application to the background"
    static let help = """
        usage: taskhost background APP

        Sends an application to the background: from now on it has the background time of the limits profile, then it is
        suspended.
        """
    static let route = Route.sendToBackground
}
