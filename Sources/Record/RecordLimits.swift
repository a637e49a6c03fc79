/// Limits of every kind of record.
package enum RecordLimits {
    /// The default number of rows in one answer.
    package static let rows = 100_000
    /// How many bytes of output one write keeps; the rest counts as dropped.
    package static let outputPart = 1 << 20
}
