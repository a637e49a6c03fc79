import Control
import JSON
import TaskModel

/// Answers that take more than a moment. They are put together a portion a turn, so that no question holds the loop up; those
/// of the host's own user and root come before those of readers. Thread: the loop's.
final class LongAnswers {
    /// Does a little, a millisecond's worth at most.
    typealias Portion = () throws(Problem) -> Step

    enum Step {
        /// There is more to be done.
        case more
        /// The whole document, in parts.
        case whole([[UInt8]])
        /// Another answers from here on.
        case passedOn
    }

    private struct Answer {
        var exchange: Exchange
        var portion: Portion
    }

    private var own: [Answer] = []
    private var readers: [Answer] = []

    /// Of each kind. Answers of disconnected clients stay until they are complete.
    private static let most = Limit.longAnswers.most

    /// Begins with an answer at once; what is left follows after the turns' commits.
    func begin(for exchange: Exchange, _ portion: @escaping Portion) throws(Problem) {
        let isOwn = exchange.peer.access == .all
        guard (isOwn ? own : readers).count < Self.most else { throw .tooBusy }
        let answer = Answer(exchange: exchange, portion: portion)
        if try Self.isDone(answer) { return }
        if isOwn { own.append(answer) } else { readers.append(answer) }
    }

    /// Does one portion; true: there is more to be done.
    func goOn() -> Bool {
        if !own.isEmpty { Self.turn(&own) } else if !readers.isEmpty { Self.turn(&readers) }
        return !own.isEmpty || !readers.isEmpty
    }

    /// Everyone's turn comes.
    private static func turn(_ queue: inout [Answer]) {
        let answer = queue.removeFirst()
        do throws(Problem) {
            if try !isDone(answer) { queue.append(answer) }
        } catch {
            answer.exchange.refuse(error)
        }
    }

    private static func isDone(_ answer: Answer) throws(Problem) -> Bool {
        switch try answer.portion() {
        case .more: return false
        case .whole(let document): answer.exchange.reply(json: document)
        case .passedOn: break
        }
        return true
    }

    var isEmpty: Bool { own.isEmpty && readers.isEmpty }

    /// The host is stopping: whoever still waits is told.
    func end() {
        for answer in own + readers { answer.exchange.refuse(.conflict("the host is stopping; the list")) }
        own.removeAll()
        readers.removeAll()
    }
}

/// A document with one long list, written as it grows. It is kept in parts: one array of many megabytes would be copied whenever it
/// grows, longer than a turn may take.
struct ListWriter {
    /// Bytes of a part, but for the last element that it takes.
    private static let partLength = 64 << 10

    private var parts: [[UInt8]] = []
    private var bytes: [UInt8]
    private(set) var count = 0

    init(_ key: String) { bytes = Array("{\"\(key)\":[".utf8) }

    mutating func add(_ element: JSONOutput) {
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += element.bytes()
        count += 1
        guard bytes.count >= Self.partLength else { return }
        parts.append(bytes)
        bytes = []
        bytes.reserveCapacity(Self.partLength + Self.partLength / 8)
    }

    /// The whole document, with the members after the list.
    consuming func finish(_ members: [JSONOutput.Member] = []) -> [[UInt8]] {
        bytes.append(UInt8(ascii: "]"))
        for member in members {
            bytes += Array(",\"\(member.key)\":".utf8) + member.value.bytes()
        }
        bytes.append(UInt8(ascii: "}"))
        return parts + [bytes]
    }
}
