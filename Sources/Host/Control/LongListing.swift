import Control
import JSON
import Linux
import TaskModel

/// A reply that lists very many rows: as many of them are written in one turn as a portion allows, the others later.
struct LongListing {
    /// Gives the next row; nil: those were all.
    typealias Next = () throws(Problem) -> JSONOutput?

    private let next: Next
    private let willContinue: () -> Void
    private var bytes: [UInt8]
    private var isFirst = true

    /// - Parameters:
    ///   - name: the key of the list in the reply.
    ///   - willContinue: called before each portion: rows may have come or gone since the last.
    init(_ name: String, willContinue: @escaping () -> Void = {}, next: @escaping Next) {
        bytes = Array("{\(JSONWriter.quoted(name)):[".utf8)
        self.willContinue = willContinue
        self.next = next
    }

    /// Writes until the moment has come.
    ///
    /// - Returns: the whole reply; nil: there is more to write.
    mutating func write(until end: Instant) throws(Problem) -> [UInt8]? {
        willContinue()
        repeat {
            guard let row = try next() else { return bytes + Array("]}".utf8) }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes += row.bytes()
        } while Clock.moment().instant < end
        return nil
    }
}

/// Listings that are too long for the turn in which they were asked for. All together have one portion of a turn.
final class LongListings: EventSource {
    private static let portion = TimeSpan.milliseconds(1)

    private var open: [(listing: LongListing, exchange: Exchange)] = []

    /// Answers at once when a portion is enough.
    func begin(_ listing: LongListing, for exchange: Exchange) {
        open.append((listing, exchange))
        if open.count == 1 { writePortion() }
    }

    private func writePortion() {
        let end = Clock.moment().instant + Self.portion
        repeat {
            var (listing, exchange) = open.removeFirst()
            do throws(Problem) {
                guard let bytes = try listing.write(until: end) else {
                    // The others have their turn.
                    open.append((listing, exchange))
                    return
                }
                exchange.reply(json: bytes)
            } catch {
                exchange.refuse(error)
            }
        } while !open.isEmpty && Clock.moment().instant < end
    }

    // MARK: EventSource

    func attach(to registry: any SourceRegistry) {}
    func serve(_ tag: UInt32, _ ready: ReadySource, at now: Moment) {}
    var nextDeadline: Instant { open.isEmpty ? .distantFuture : Instant(nanoseconds: 0) }
    func advance(to now: Moment) { if !open.isEmpty { writePortion() } }

    func close() {
        for (_, exchange) in open { exchange.refuse(.conflict("the host is stopping; the list")) }
        open = []
    }
}
