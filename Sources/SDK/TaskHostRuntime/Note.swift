import CTaskHost

/// What the application would tell its user: a line in the host's journal. Hosts that do not take such lines, and processes
/// that are no workers, have nothing to show it in.
package enum Note {
    package static func write(_ sentence: String) {
        unsafe ConnectedHost.current?.notifications?.pointee.note(sentence)
    }
}
