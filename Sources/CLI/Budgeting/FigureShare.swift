/// What most runs used of something. A rule that a person can follow: nearest ranks, and no learning.
struct FigureShare {
    /// Half of the runs used no more, and 99 of 100, outliers left out.
    let median: UInt64
    let most: UInt64
    /// The places of those that used more than three times what nine of ten runs used: in the order given.
    let outliers: [Int]

    /// So many runs at least are needed before one of them can be an outlier.
    private static let leastForOutliers = 10

    /// nil: no run has the figure.
    init?(_ values: [UInt64]) {
        guard !values.isEmpty else { return nil }
        let usual = Self.rank(90, of: values.sorted())
        let limit = usual.multipliedReportingOverflow(by: 3)
        let outliers =
            values.count < Self.leastForOutliers || limit.overflow
            ? [] : values.indices.filter { values[$0] > limit.partialValue }
        self.outliers = outliers
        let kept = values.indices.filter { !outliers.contains($0) }.map { values[$0] }.sorted()
        median = Self.rank(50, of: kept)
        most = Self.rank(99, of: kept)
    }

    /// The smallest value that so many of a hundred do not exceed.
    private static func rank(_ percent: Int, of sorted: [UInt64]) -> UInt64 {
        sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
    }
}
