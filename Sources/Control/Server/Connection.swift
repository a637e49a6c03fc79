import TaskModel

/// One client's connection. libmicrohttpd owns its descriptor.
final class Connection {
    let descriptor: Int32
    let peer: Peer
    var isReader: Bool { peer.access != .all }
    /// It counts among the connections of its kind; one that is being closed to make room does not.
    var isCounted = true
    /// When it is cut unless something happens; `distantFuture` while it waits for us.
    var deadline: Instant
    /// The request that is being received or answered; nil between requests.
    var transaction: Transaction?
    /// Whether the server's own epoll set watches for its hang-up.
    var isWatched = false

    init(_ descriptor: Int32, peer: Peer, deadline: Instant) {
        self.descriptor = descriptor
        self.peer = peer
        self.deadline = deadline
    }
}
