/// A file that an application writes line by line, followed as it grows. What its lines say, no event of the host need
/// follow: the host may have sent its last event.
package final class GrowingFile {
    private let tail: Program

    /// The file may come later.
    package init(_ path: String) throws {
        // By looking again and again: the file appears later, and what is written while tail begins to watch it may be missed.
        let options = ["---disable-inotify", "-s", "0.02", "-n", "+1", "-F"]
        tail = try Program("tail", options + [path], keepsErrorsApart: true)
    }

    /// Every line so far.
    package var lines: [String] { Self.split(tail.output) }

    /// Waits until so many of its lines are as `isWanted` says. `what` is for the error.
    package func wait(for what: String, count: Int = 1, where isWanted: (String) -> Bool) throws {
        try tail.wait(until: { Self.split($0).count(where: isWanted) >= count }, for: "\(count) of \"\(what)\"")
    }

    private static func split(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}
