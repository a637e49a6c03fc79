import Control
import Linux
import Record
import Serving
import Setting
import TaskModel

/// The record of runs: in the host that holds it, or in its file.
enum RecordAccess {
    /// How long a starting host that holds the record may take until its socket answers.
    private static let patience = TimeSpan.seconds(3)
    /// The pause between two checks for its socket.
    private static let pause = TimeSpan.milliseconds(100)

    /// Where the record can be read.
    enum Source {
        case host(RemoteClient)
        case file(RecordFile)
    }

    /// The record; nil when nothing has been recorded yet.
    ///
    /// - Throws: also when a host without a socket holds it.
    static func openIfAny(_ arguments: Arguments) throws(Failure) -> Past? {
        switch try find(arguments) {
        case .host(let client): Past(client)
        case .file(let file): Past(FileClient(file, arguments), entries: .max)
        case nil: nil
        }
    }

    /// Who has the record now; nil when nothing has been recorded yet.
    static func find(_ arguments: Arguments) throws(Failure) -> Source? {
        let end = Clock.moment().instant + patience
        while true {
            if let client = try HostAccess.openIfServed(arguments) { return .host(client) }
            guard case .state(let folder) = try Opening.look(at: Places.state(arguments)) else { return nil }
            // Readers one after the other must not keep a host that starts from its record.
            if StateFolder.isWanted(folder) {
                guard Clock.moment().instant < end else { throw held(folder) }
                Clock.pause(pause)
                continue
            }
            do throws(StoreError) {
                return .file(try RecordFile(inState: folder, patience: pause))
            } catch {
                if error.kind == .missing || error.systemError == Errno.ENOENT.rawValue { return nil }
                guard error.kind == .locked else { throw .cannotCreate("\(error)") }
                guard Clock.moment().instant < end else { throw held(folder) }
            }
        }
    }

    static func open(_ arguments: Arguments) throws(Failure) -> Past {
        if let record = try openIfAny(arguments) { return record }
        throw .usage(
            "no run has been recorded yet; \(try Places.state(arguments)); run a task first, or name another folder with "
                + "--state")
    }

    static func reading<R>(_ body: () throws(StoreError) -> R) throws(Failure) -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .cannotCreate("\(error)")
        }
    }

    /// Makes one file of a whole copy, and checks that it is sound.
    static func seal(_ path: String) throws(Failure) {
        try reading { () throws(StoreError) in try RecordFile.seal(path) }
    }

    /// The run of the verb's one word: a run's id, or the identifier of a task, which means its last run.
    static func run(_ arguments: Arguments, of verb: String, in record: Past) throws(Failure) -> KeptRun {
        let word = try arguments.onlyWord(
            of: verb, "run", "write its id, or the first 8 characters or more, or a task for its last")
        do throws(Failure) {
            return try record.run(word)
        } catch {
            guard ULID(word) == nil else { throw error }
            let identifier = try record.identifier(for: word)
            guard let last = try record.runs(of: identifier, limit: 1).first else { throw error }
            return try record.run(last.id.description)
        }
    }

    /// A process holds the record, and does not answer.
    private static func held(_ folder: String) -> Failure {
        switch StateFolder.holder(of: folder) {
        case .process(let pid):
            .unreachable(
                "a host without a control socket holds the record; \(folder): process \(pid); it is a taskhost run or a "
                    + "verb: ask again when it has ended, or let taskhost serve do the running")
        case .nobody, .unknown:
            .cannotCreate(
                "another process has the record of runs open; \(StateFolder.databasePath(in: folder)); let it close the "
                    + "file, or end it, then try again")
        }
    }
}

/// A run, and how much of its output is kept.
struct KeptRun {
    var record: RunRecord
    /// Bytes.
    var kept: Int
    var dropped: UInt64
    /// Bytes that its handler got; nil: not known.
    var payload: Int?
    /// In place of the manifest's; nil: those held.
    var settings: String?
}
