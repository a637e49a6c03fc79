import Foundation

/// The exit statuses that `taskhost` has beside those of outcomes, by the names that its source gives them.
package enum ExitStatusNames {
    /// `ExitStatus` belongs to the program, which no test can import: its source is read.
    package static func all() throws -> [String: Int32] {
        let source = try String(
            contentsOf: Places.root.appending(path: "Sources/CLI/Verb.swift"), encoding: .utf8)
        let constants = source.matches(of: /static let ([a-zA-Z]+): Int32 = ([0-9]+)/).map {
            (String($0.1), Int32($0.2) ?? -1)
        }
        guard constants.count > 5 else { throw Problem("Sources/CLI/Verb.swift has no exit statuses") }
        return Dictionary(uniqueKeysWithValues: constants)
    }
}
