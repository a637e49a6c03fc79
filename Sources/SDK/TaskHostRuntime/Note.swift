import CTaskHost

/// A notification for the application's user: a line in the host's journal. Hosts that do not accept such lines, and
/// processes outside of a worker, drop it.
package enum Note {
    package static func write(_ sentence: String) {
        unsafe ConnectedHost.current?.notifications?.pointee.note(sentence)
    }
}
