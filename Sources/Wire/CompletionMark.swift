package import TaskModel

/// A mark in a checked worker's output at the place where a run was completed: anything after it was printed too late.
package struct CompletionMark: Equatable, Sendable {
    private static let start = Array("\u{1E}taskhost: completed at ".utf8)
    private static let end = Array("\u{1E}\n".utf8)

    /// Wall-clock time. A file with a later change was changed afterwards.
    package var time: Timestamp

    package init(time: Timestamp) { self.time = time }

    package var bytes: [UInt8] { Self.start + Array("\(time.nanoseconds)".utf8) + Self.end }

    /// The output without marks, the first mark and what came after it; nil: there is none.
    package static func split(_ output: [UInt8]) -> (text: [UInt8], mark: CompletionMark, late: [UInt8])? {
        guard let place = output.firstRange(of: start) else { return nil }
        let digits = output[place.upperBound...].prefix { (0x30...0x39).contains($0) }
        guard let number = Int64(String(decoding: digits, as: UTF8.self)),
            output[digits.endIndex...].starts(with: end)
        else { return nil }
        let rest = Array(output[(digits.endIndex + end.count)...])
        let late = split(rest)?.text ?? rest
        return (Array(output[..<place.lowerBound]) + late, CompletionMark(time: Timestamp(nanoseconds: number)), late)
    }
}
