import Control
import JSON
import Linux
import TaskModel

/// A reply with very many rows: it writes a portion of them in each turn.
struct LongListing {
    /// Gives the next row; nil: those were all.
    typealias Next = () throws(Problem) -> JSONOutput?

    private let next: Next
    private let willContinue: () -> Void
    private let last: () -> [JSONOutput.Member]
    private var writer: ListWriter

    /// - Parameters:
    ///   - name: the key of the list in the reply.
    ///   - last: the members that follow the list; asked for when all rows are written.
    ///   - willContinue: called before each portion: rows may have been added or removed.
    init(
        _ name: String, last: @escaping () -> [JSONOutput.Member] = { [] }, willContinue: @escaping () -> Void = {},
        next: @escaping Next
    ) {
        writer = ListWriter(name)
        self.last = last
        self.willContinue = willContinue
        self.next = next
    }

    /// Writes until the moment has come.
    ///
    mutating func write(until end: Instant) throws(Problem) -> LongAnswers.Step {
        willContinue()
        repeat {
            guard let row = try next() else { return .whole(writer.finish(last())) }
            writer.add(row)
        } while Clock.moment().instant < end
        return .more
    }
}

extension HostAPI {
    /// A millisecond: how long a portion may occupy the turn.
    static let portion = TimeSpan.milliseconds(1)

    /// Answers with the listing, at once when a portion is enough.
    func answer(_ exchange: Exchange, with listing: LongListing) throws(Problem) {
        var listing = listing
        try longAnswers.begin(for: exchange) { () throws(Problem) in
            try listing.write(until: Clock.moment().instant + Self.portion)
        }
    }
}
