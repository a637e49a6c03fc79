/// The finished row of the table.
struct RowResult: Encodable {
    enum Unit: String, Encodable {
        case seconds, runsPerSecond, perSecond, bytes, count
    }
    /// Whether the row met its aim, and whether that counts.
    enum Verdict: String, Encodable {
        case met, missed
        /// Shown for comparison only.
        case shown
    }

    var name: String
    var title: String
    var unit: Unit
    /// Medians over the rounds; nil when only references were run.
    var ours: Double?
    var oursP99: Double?
    var reference: Double?
    var referenceP99: Double?
    /// What stands beside ours.
    var referenceTitle: String
    /// Median of the rounds' own ratios: neighbours that come and go touch both sides of a round alike.
    var ratio: Double?
    var ratios: [Double] = []
    /// In words, such as `≤ 1.3 ×`.
    var aim: String
    var verdict: Verdict
    /// Counts are reproducible and kept as thresholds; times are not.
    var isCount = false
    /// The part of its threshold that a count stays within; one that is lower asks for a lower threshold. nil: any.
    var slack: Double?
    /// Further figures of the row, by name.
    var details: [String: Double] = [:]
}
