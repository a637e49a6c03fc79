import Engine
import Linux
import TaskModel

/// Makes room for the record when the disk is full, in the middle of a write: out of the reserve, then by waiting.
///
/// A turn that cannot be recorded cannot be undone either: runs have begun, and their ends are known to nobody else. So a daemon
/// that has nothing left to give waits for room instead of ending: what it would do has to be recorded first. Thread: the loop's.
final class RoomMaker {
    let reserve: ReserveFile
    /// The disk was full since this was last set to false.
    var wasFull = false {
        didSet { if !wasFull { isWaiting = false } }
    }
    /// Stops what may be filling the disk, at once. Called when nothing is left to give, once for each shortage.
    var stopWriters: () -> Void = {}
    /// Whether somebody wants the host to stop: then it does not wait.
    var isUnwanted: () -> Bool = { false }

    private let path: String
    private let isPatient: Bool
    /// Nothing was left since the reserve was whole.
    private var isEmptied = false
    /// This shortage has been waited for: what might fill the disk was stopped.
    private var isWaiting = false
    /// Between two tries once nothing is left.
    private static let pause = TimeSpan.milliseconds(50)

    /// - Parameter isPatient: it waits when nothing is left; otherwise the write fails.
    init(inState folder: String, isPatient: Bool) {
        path = folder
        reserve = ReserveFile(inState: folder)
        self.isPatient = isPatient
    }

    /// Takes back what was given, if there is room for it.
    func fillReserve() {
        reserve.fill()
        if reserve.isWhole { isEmptied = false }
    }

    /// What is left to go on with.
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
