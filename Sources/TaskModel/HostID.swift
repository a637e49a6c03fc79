/// The id of a host: 128 random bits, made with its record and kept in it. A copy of the state folder is the same host.
///
/// A record may hold what several hosts wrote. Each takes up what is its own alone: another's run may still be in progress,
/// elsewhere.
package struct HostID: Hashable, Sendable, BitwiseCopyable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
