import CTaskHost

/// Why Scrub gave up, as a sentence for the run's log.
struct Failure: Error {
    var message: String
}

/// The task that Scrub works for, in Swift's terms. Valid until the handler returns.
struct Run {
    typealias Task = taskhost_task_t

    let task: UnsafeMutablePointer<Task>

    init(_ task: UnsafeMutablePointer<taskhost_task_t>) {
        self.task = task
    }

    /// The run has expired.
    var shouldStop: Bool { taskhost_should_stop(task) != 0 }
    /// JSON text.
    var settings: [UInt8] { Self.copy(task.pointee.settings) }
    var stateDirectory: [UInt8] { Self.copy(task.pointee.state_directory) }

    func complete(_ success: Bool) {
        // A second completion would be our own mistake; the host notes it in the run's record.
        _ = taskhost_complete(task, success ? 1 : 0)
    }

    func log(_ level: UInt32, _ line: String) {
        taskhost_log(task, level, line)
    }

    func progress(_ completed: Int64, of total: Int64, _ text: String) {
        // The counts are never negative, the only thing the host would refuse.
        _ = taskhost_progress(task, completed, total, text)
    }

    /// `path` with a leading `$STATE`, `$CACHE` or `$MANIFEST` replaced: settings reach a handler as they stand.
    func expand(_ path: [UInt8]) -> [UInt8] {
        let variables: [(String, taskhost_bytes_t)] = [
            ("$STATE", task.pointee.state_directory), ("$CACHE", task.pointee.cache_directory),
            ("$MANIFEST", task.pointee.manifest_directory),
        ]
        for (name, folder) in variables where path.starts(with: name.utf8) {
            let rest = path.dropFirst(name.utf8.count)
            if rest.isEmpty || rest.first == UInt8(ascii: "/") { return Self.copy(folder) + rest }
        }
        return path
    }

    private static func copy(_ bytes: taskhost_bytes_t) -> [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.bytes == nil ? 0 : Int(bytes.length)))
    }
}

/// A path for people: control characters, which could forge lines of a log, are spelled out.
func display(_ path: some Sequence<UInt8>) -> String {
    var text = ""
    for character in String(decoding: Array(path), as: UTF8.self).unicodeScalars {
        if character.value < 0x20 || character.value == 0x7f {
            text += "\\u{\(String(character.value, radix: 16))}"
        } else {
            text.unicodeScalars.append(character)
        }
    }
    return text
}
