/// What the record does at most, whoever keeps it.
package enum RecordLimits {
    /// Rows that one question is answered with, unless it says less.
    package static let rows = 100_000
    /// Bytes of output that one write keeps; what is beyond counts as dropped.
    package static let outputPart = 1 << 20
}
