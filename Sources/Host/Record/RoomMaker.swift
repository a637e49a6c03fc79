import Engine
import Linux
import TaskModel

/// Makes room for the record when the disk is full, in the middle of a write: out of the reserve, then by waiting.
///
/// A turn that cannot be recorded cannot be undone either: runs have begun, and only this process knows their ends. So a
/// daemon without any reserve waits for space instead of ending: its actions have to be recorded first. Thread: the loop's.
final class RoomMaker {
    let reserve: ReserveFile
    /// The disk was full since this was last set to false.
    var wasFull = false {
        didSet { if !wasFull { isWaiting = false } }
    }
    /// Stops everything that may be filling the disk, at once. Called when the reserve is used up, once for each
    /// shortage, while the turn's record is being written, which it may not change.
    var stopWriters: () -> Void = {}
    /// Whether a stop was requested: then it does not wait.
    var isUnwanted: () -> Bool = { false }

    private let path: String
    private let isPatient: Bool
    /// Nothing was left since the reserve was whole.
    private var isEmptied = false
    /// This shortage has been waited for: what might fill the disk was stopped.
    private var isWaiting = false
    /// The pause between two tries once the reserve is used up.
    private static let pause = TimeSpan.milliseconds(50)

    /// - Parameter isPatient: it waits when the reserve is used up; otherwise the write fails.
    init(inState folder: String, isPatient: Bool) {
        path = folder
        reserve = ReserveFile(inState: folder)
        self.isPatient = isPatient
    }

    /// Restores the reserve, if there is space.
    func fillReserve() {
        reserve.fill()
        if reserve.isWhole { isEmptied = false }
    }

    /// The reserve that is left.
    var rest: DiskReserve { isEmptied ? .none : reserve.left < ReserveFile.size / 2 ? .short : .ample }

    func makeRoom() -> Bool {
        wasFull = true
        if reserve.giveBack() { return true }
        guard isPatient, !isUnwanted() else { return false }
        if !isWaiting {
            (isWaiting, isEmptied) = (true, true)
            stopWriters()
            say("the disk is full and nothing can be recorded; \(path); free some space: the host continues by itself")
        }
        Clock.pause(Self.pause)
        return true
    }

    /// Standard error: the journal is what cannot be written.
    private func say(_ sentence: String) {
        try? StandardStream.error.write("taskhost: \(sentence)\n")
    }
}
