package import TaskModel

/// The limits of the control server for all its clients together.
package struct ServerLimits: Sendable {
    /// Connections of the host's own user and root at once; more wait in the listening socket's queue.
    package var connections = 512
    /// Connections of readers: counted separately, so that they do not exclude other clients. More are refused.
    package var readerConnections = 128
    /// Event streams of the host's own user and root at once; more are refused.
    package var streams = 64
    package var readerStreams = 32
    /// Bytes of memory a connection may use for its request's header; a longer header is refused (431).
    package var headerBytes = 32 << 10
    package var bodyBytes = 1 << 20
    /// How many bytes of a body without a length are read and discarded, so that its sender can receive the error; then the
    /// connection is cut.
    package var discardedBytes = 8 << 20
    /// Bytes of events that wait for a slow reader; then it is dropped.
    package var streamBytes = 256 << 10
    /// The same of all readers together, where an event counts once; then the slowest are dropped.
    package var heldEventBytes = 2 << 20
    /// Between two requests of a connection.
    package var idle = TimeSpan.seconds(60)
    /// From the beginning of a connection to its first line, and from the first line of a request to the last byte of its
    /// body.
    package var receiving = TimeSpan.seconds(10)
    /// From the beginning of a reply to its last byte.
    package var sending = TimeSpan.seconds(60)
    /// Bytes a second that a client takes of a file at least.
    package var sendingRate = 1 << 20

    package init() {}
}
