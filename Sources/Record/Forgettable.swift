/// Rows of the record that may be deleted, named by the store that found them: only the store creates and reads these
/// numbers. They stay deletable until they are deleted.
package struct Forgettable: Sendable, Equatable {
    /// Output to delete; its run stays, with the number of lost bytes.
    package struct Output: Sendable, Equatable, BitwiseCopyable {
        package var run: Int64
        package var bytes: Int64

        package init(run: Int64, bytes: Int64) {
            self.run = run
            self.bytes = bytes
        }
    }

    /// Runs, with their output.
    package var runs: ArraySlice<Int64> = []
    /// Lines of the journal.
    package var lines: ArraySlice<Int64> = []
    /// Ends of applications' processes.
    package var terminations: ArraySlice<Int64> = []
    /// Entries of the log of the device.
    package var device: ArraySlice<Int64> = []
    /// Transfers that were delivered.
    package var transfers: ArraySlice<Int64> = []
    /// Output alone.
    package var output: ArraySlice<Output> = []

    package init() {}

    package var count: Int {
        runs.count + lines.count + terminations.count + device.count + transfers.count + output.count
    }
    package var isEmpty: Bool { count == 0 }

    /// Takes out some: runs first, then lines, terminations, the device's log, transfers, and output.
    /// Copies no rows.
    ///
    /// - Parameter limit: how many at most.
    package mutating func take(_ limit: Int) -> Forgettable {
        var taken = Forgettable()
        var rest = max(0, limit)
        taken.runs = Self.take(&rest, from: &runs)
        taken.lines = Self.take(&rest, from: &lines)
        taken.terminations = Self.take(&rest, from: &terminations)
        taken.device = Self.take(&rest, from: &device)
        taken.transfers = Self.take(&rest, from: &transfers)
        taken.output = Self.take(&rest, from: &output)
        return taken
    }

    private static func take<Row>(_ rest: inout Int, from rows: inout ArraySlice<Row>) -> ArraySlice<Row> {
        let taken = rows.prefix(rest)
        rows = rows.dropFirst(taken.count)
        rest -= taken.count
        return taken
    }
}
