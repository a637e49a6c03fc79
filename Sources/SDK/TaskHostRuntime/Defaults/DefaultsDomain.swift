import Foundation

/// The values of one defaults domain: those of its file, and over them the changes that are not written yet. Other processes'
/// changes are seen when this one writes its own, or calls `synchronize()`.
final class DefaultsDomain: @unchecked Sendable {  // everything is behind locks
    private struct Change {
        /// nil: the key was removed.
        let value: Any?
        let number: UInt64
    }

    private struct State {
        /// nil: not read yet.
        var values: [String: Any]?
        var version: DefaultsFile.Version?
        var changes: [String: Change] = [:]
        var last: UInt64 = 0
        /// A timer writes it, half a second after a change.
        var isAwaited = false
        /// Another one does, after a failure.
        var triesAgain = false
        /// A failure is reported once, until a write succeeds.
        var hasFailed = false
    }

    private let file: DefaultsFile
    private let lock = NSLock()
    private let writing = NSLock()
    private var state = State()

    init(_ file: DefaultsFile) { self.file = file }

    // MARK: Values

    subscript(key: String) -> Any? {
        lock.withLock {
            load()
            if let change = state.changes[key] { return change.value }
            return state.values?[key]
        }
    }

    /// All of them.
    var all: [String: Any] {
        lock.withLock {
            load()
            return Self.apply(state.changes, to: state.values ?? [:])
        }
    }

    /// Changes a value, on disk half a second later.
    /// - Parameter value: in the form of `PropertyList`; nil removes it.
    func set(_ value: Any?, for key: String) {
        let isFirst = lock.withLock {
            state.last += 1
            state.changes[key] = Change(value: value, number: state.last)
            defer { state.isAwaited = true }
            return !state.isAwaited
        }
        DefaultsDomains.noteChange()
        if isFirst { DefaultsDomains.write(self, after: Self.delay, isAgain: false) }
    }

    /// With room for the writing itself within a second.
    private static let delay = DispatchTimeInterval.milliseconds(500)
    /// After a failure.
    private static let patience = DispatchTimeInterval.seconds(30)

    // MARK: The file

    /// Writes the changes, merged with what other processes have written.
    /// - Returns: whether none is left.
    func write() -> Bool {
        writing.withLock {
            let (changes, last) = lock.withLock { (state.changes, state.last) }
            guard !changes.isEmpty else { return true }
            do throws(DefaultsFile.Failure) {
                let (values, version) = try file.locked { () throws(DefaultsFile.Failure) in
                    let values = Self.apply(changes, to: try file.read())
                    try file.write(values)
                    return (values, file.version)
                }
                lock.withLock {
                    (state.values, state.version, state.hasFailed) = (values, version, false)
                    state.changes = state.changes.filter { $0.value.number > last }
                }
                return true
            } catch {
                lock.withLock { report(error) }
                return false
            }
        }
    }

    /// The timer calls.
    /// - Parameter isAgain: after a failure, and not because of a change.
    func writeOnTime(isAgain: Bool) {
        lock.withLock { if isAgain { state.triesAgain = false } else { state.isAwaited = false } }
        let isWritten = write()
        let (isChanged, triesAgain) = lock.withLock { () -> (Bool, Bool) in
            guard !state.changes.isEmpty, !state.isAwaited else { return (false, false) }
            if isWritten {
                state.isAwaited = true
                return (true, false)
            }
            defer { state.triesAgain = true }
            return (false, !state.triesAgain)
        }
        if isChanged { DefaultsDomains.write(self, after: Self.delay, isAgain: false) }
        if triesAgain { DefaultsDomains.write(self, after: Self.patience, isAgain: true) }
    }

    /// Writes the changes, and reads what others have written.
    func synchronize() -> Bool {
        guard write() else { return false }
        lock.withLock { if state.values != nil, file.version != state.version { state.values = nil } }
        return true
    }

    private static func apply(_ changes: [String: Change], to values: [String: Any]) -> [String: Any] {
        var values = values
        for (key, change) in changes { values[key] = change.value }
        return values
    }

    /// Under the lock.
    private func load() {
        guard state.values == nil else { return }
        state.version = file.version
        do throws(DefaultsFile.Failure) {
            state.values = state.version == nil ? [:] : try file.read()
        } catch {
            state.values = [:]
            report(error)
        }
    }

    /// Under the lock.
    private func report(_ failure: DefaultsFile.Failure) {
        if !state.hasFailed { Diagnostic.write(failure.sentence) }
        state.hasFailed = true
    }
}
