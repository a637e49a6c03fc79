import Control
import Host
import JSON
import Linux
import Record
import Setting
import TaskModel

/// Copies the record for clients, a little each turn and one copy at a time. A copy is a file without a name when it is
/// sent: the host writes nowhere else, regardless of the client. Thread: the loop's.
final class RecordBackup {
    private final class Work {
        let copy: any RecordCopying
        var file: Descriptor?
        let exchange: Exchange

        init(_ copy: any RecordCopying, _ file: consuming Descriptor, _ exchange: Exchange) {
            self.copy = copy
            self.file = consume file
            self.exchange = exchange
        }
    }

    private unowned let host: Host
    private var work: Work?

    /// Pages between two checks of the time, and how long a turn copies.
    private static let pages: Int32 = 16
    private static let share = TimeSpan.milliseconds(1)
    /// Bytes that are left to the file system at least.
    private static let reserve: UInt64 = 64 << 20

    init(host: Host) { self.host = host }

    private var path: String { host.place.state.path + "/backup.part" }

    func begin(_ exchange: Exchange) throws(Problem) {
        guard work == nil else {
            throw .conflict("a copy of the record is being made; backup; ask again when it is done")
        }
        try refuseWithoutRoom()
        // A dead host's file.
        try? FileSystem.remove(path)
        let copy = try PastAPI.reading(host.history.copy(to: path))
        defer { try? FileSystem.remove(path) }
        do throws(SystemError) {
            work = Work(copy, try Descriptor.open(path, .O_RDONLY), exchange)
        } catch {
            throw .recordFailed("The record cannot be copied", error)
        }
    }

    private func refuseWithoutRoom() throws(Problem) {
        guard let free = try? FileSystem.space(of: host.place.state.path).free,
            let size = try? FileSystem.facts(ofPath: host.place.state.databasePath).size
        else { return }
        guard free < size + Self.reserve else { return }
        throw Problem(
            507, "no-room", title: "No room",
            detail:
                "there is no room for a copy of the record beside it; \(host.place.state.path): \(ByteCount(bytes: size)) and "
                + "\(ByteCount(bytes: Self.reserve)) are needed, \(ByteCount(bytes: free)) are free; free some space, or stop "
                + "the host and copy the record then")
    }

    /// Copies for a moment; true: there is more to be done.
    func goOn() -> Bool {
        // The end of a sync brings a turn.
        guard let work, !work.copy.isHeldUp else { return false }
        let end = Clock.moment().instant + Self.share
        do throws(StoreError) {
            repeat {
                guard try work.copy.copy(pages: Self.pages) else { continue }
                self.work = nil
                answer(work)
                return false
            } while Clock.moment().instant < end
            return true
        } catch {
            self.work = nil
            work.exchange.refuse(.recordFailed("The record cannot be copied", error))
            return false
        }
    }

    private func answer(_ work: Work) {
        guard let file = work.file.take() else { return }
        do throws(SystemError) {
            work.exchange.reply(file: try ReplyFile(file), contentType: "application/vnd.sqlite3")
        } catch {
            work.exchange.refuse(.recordFailed("The record cannot be copied", error))
        }
    }

    /// Clients are no longer answered.
    func end() { work = nil }
}
