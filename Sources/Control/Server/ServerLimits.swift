package import TaskModel

/// What the control server grants to all its clients together.
package struct ServerLimits: Sendable {
    /// Connections at once; more wait in the listening socket's queue.
    package var connections = 512
    /// Event streams at once; more are refused.
    package var streams = 64
    /// Bytes of memory a connection may use for its request's header; a longer header is refused (431).
    package var headerBytes = 32 << 10
    package var bodyBytes = 1 << 20
    /// A body without a length may go on for so many bytes, thrown away, so that its sender can be told; then it is cut.
    package var discardedBytes = 8 << 20
    /// Bytes of events that wait for a slow reader; then it is dropped.
    package var streamBytes = 256 << 10
    /// Between two requests of a connection.
    package var idle = TimeSpan.seconds(60)
    /// From the beginning of a connection to its first line, and from the first line of a request to the last byte of its
    /// body.
    package var receiving = TimeSpan.seconds(10)
    /// From the beginning of a reply to its last byte.
    package var sending = TimeSpan.seconds(60)

    package init() {}
}
