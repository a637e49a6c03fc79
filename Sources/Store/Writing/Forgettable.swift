/// Rows of the record that are old enough to be forgotten, by sequence. They stay so until they are: none of them is ever
/// needed again.
package struct Forgettable: Sendable, Equatable {
    var runs: ArraySlice<Int64> = []
    var lines: ArraySlice<Int64> = []
    var device: ArraySlice<Int64> = []

    package init() {}

    package var count: Int { runs.count + lines.count + device.count }
    package var isEmpty: Bool { count == 0 }
}
