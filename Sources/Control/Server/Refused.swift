import Linux
import TaskModel

/// A client that was refused and may still hold its connection, until it hangs up or its time is over.
final class Refused {
    private let descriptor: Descriptor
    let end: Instant

    init(_ descriptor: consuming Descriptor, until end: Instant) {
        self.descriptor = descriptor
        self.end = end
    }
}
