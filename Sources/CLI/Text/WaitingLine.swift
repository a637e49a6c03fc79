/// The text while a run cannot be launched.
enum WaitingLine {
    /// - Parameter pause: seconds until the next try.
    static func text(_ identifier: String, _ wanted: String, pause: Double) -> String {
        "taskhost: \(identifier) waits for \(wanted); it is tried again in \(Int(pause.rounded(.up))) s; "
            + "Ctrl-C ends it"
    }
}
