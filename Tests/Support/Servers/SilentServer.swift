/// A port that takes connections and never says a word.
package final class SilentServer {
    private let held: HeldPort
    package var port: UInt16 { held.number }

    package init() throws { held = try HeldPort(listens: true) }
}
