import Glibc
import Host
import Linux
import Store
import TaskModel

/// The record of runs, read by a verb of its own process while a host may be writing.
enum Record {
    /// The record; nil when nothing has been recorded yet.
    static func openIfAny(_ arguments: Arguments) throws(Failure) -> History? {
        guard case .state(let folder) = try Opening.look(at: Places.state(arguments)) else { return nil }
        do throws(StoreError) {
            return try History(path: StateFolder.databasePath(in: folder))
        } catch {
            if error.kind == .missing || error.systemError == ENOENT { return nil }
            throw Failure(ExitStatus.cannotCreate, "\(error)")
        }
    }

    static func open(_ arguments: Arguments) throws(Failure) -> History {
        if let history = try openIfAny(arguments) { return history }
        throw Failure(
            ExitStatus.usage,
            "no run has been recorded yet; \(try Places.state(arguments)); run a task first, or name another folder with "
                + "--state")
    }

    /// The newest run of every task, by identifier.
    static func last(in history: History?) throws(Failure) -> [String: RunRecord] {
        guard let history else { return [:] }
        return try reading { () throws(StoreError) in try history.lastRuns() }
    }

    static func reading<R>(_ body: () throws(StoreError) -> R) throws(Failure) -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            throw Failure(ExitStatus.cannotCreate, "\(error)")
        }
    }

    /// The run that the verb's one word stands for.
    static func run(_ arguments: Arguments, of verb: String, in history: History) throws(Failure) -> RunRecord {
        guard arguments.words.count == 1 else {
            throw .usage("one run is needed; taskhost \(verb); write its id, or the first 8 characters or more")
        }
        let text = arguments.words[0]
        switch try reading({ () throws(StoreError) in try history.run(matching: text) }) {
        case .found(let record): return record
        case .missing: throw .usage("there is no such run; \(text); see taskhost history")
        case .malformed:
            throw .usage("this is no run's id; \(text); give at least \(RunMatch.minimumLength) of its 26 characters")
        case .ambiguous(let candidates):
            throw .usage(
                "several runs begin like this; \(text); give more characters: "
                    + candidates.map(\.description).joined(separator: " "))
        }
    }
}
