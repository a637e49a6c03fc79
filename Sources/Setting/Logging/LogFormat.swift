import JSON
package import Linux
package import TaskModel

/// The forms of the host's log.
package enum LogFormat: String, NamedCases, Sendable {
    /// Messages with fields for systemd-journald.
    case journal
    /// Lines of `key=value`.
    case logfmt
    /// A document a line.
    case json
    /// Sentences for people.
    case text

    /// The form when nobody chose one: systemd's journal if standard error leads there, else sentences.
    ///
    /// - Parameters:
    ///   - variable: the value of `JOURNAL_STREAM`, the device and inode of the stream to the journal (systemd.exec(5)).
    ///   - stream: what standard error is; nil: closed.
    package init(variable: String?, stream: FileSystem.Facts?) {
        self = variable != nil && variable == stream.map { "\($0.device):\($0.inode)" } ? .journal : .text
    }

    /// An entry as bytes: one message, or one line.
    ///
    /// - Parameter time: of the entry. The journal has its own.
    package func bytes(of entry: LogEntry, at time: Timestamp) -> [UInt8] {
        let sentence = entry.sentence.cut(toBytes: LogEntry.maximumText)
        return switch self {
        case .journal: Self.journalMessage(entry, sentence)
        case .logfmt: Self.logfmtLine(entry, sentence, time)
        case .json: Self.jsonLine(entry, sentence, time)
        case .text: Array("taskhost: \(JSONWriter.printable(sentence))\n".utf8)
        }
    }

    private static func journalMessage(_ entry: LogEntry, _ sentence: String) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ name: String, _ text: String) {
            let value = text.cut(toBytes: LogEntry.maximumText).utf8
            bytes += name.utf8
            if value.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value.count >> (8 * place))) }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value
            bytes.append(UInt8(ascii: "\n"))
        }
        add("MESSAGE", sentence)
        add("PRIORITY", String(entry.priority.rawValue))
        add("SYSLOG_IDENTIFIER", "taskhost")
        if let message = entry.message { add("MESSAGE_ID", message.rawValue) }
        for field in entry.fields { add(field.name.journalName, field.value.text) }
        return bytes
    }

    private static func jsonLine(_ entry: LogEntry, _ sentence: String, _ time: Timestamp) -> [UInt8] {
        var members: [JSONOutput.Member] = [
            .init("at", .string(time.iso8601)), .init("level", .string(entry.priority.name)),
            .init("message", .string(sentence)),
        ]
        if let message = entry.message { members.append(.init("messageId", .string(message.rawValue))) }
        for field in entry.fields {
            switch field.value {
            case .text(let text):
                members.append(.init(field.name.name, .string(text.cut(toBytes: LogEntry.maximumText))))
            case .number(let number): members.append(.init(field.name.name, .integer(number)))
            }
        }
        return JSONOutput.object(members).bytes() + [UInt8(ascii: "\n")]
    }

    private static func logfmtLine(_ entry: LogEntry, _ sentence: String, _ time: Timestamp) -> [UInt8] {
        var line = "time=\(time.iso8601) level=\(entry.priority.name) msg=\(quoted(sentence))"
        for field in entry.fields {
            line += " \(field.name.name)=\(word(field.value.text.cut(toBytes: LogEntry.maximumText)))"
        }
        return Array((line + "\n").utf8)
    }

    /// In quotes where it has to be.
    private static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
                && byte != UInt8(ascii: "\\")
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    private static func quoted(_ text: String) -> String { JSONOutput.string(text).text() }
}
