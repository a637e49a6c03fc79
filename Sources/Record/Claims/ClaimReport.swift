package import TaskModel

/// How the run of a claim went, for the fleet's history.
package struct ClaimReport: Sendable, Equatable {
    /// The last bytes of output that a report has.
    package static let mostOutput = 64 << 10

    /// nil: the claim had no run, or the record has forgotten it.
    package var run: RunRecord?
    package var output: [UInt8]

    package init(_ run: RunRecord, output: [UInt8]) {
        self.run = run
        self.output = output
    }

    private init() { output = [] }

    package static let none = ClaimReport()
}
