/// The text of a file with variables (systemd.exec(5), "EnvironmentFile="): data, of which no shell reads anything.
package enum EnvironmentFile {
    /// Bytes of a file, and variables of one.
    package static let mostBytes = 64 << 10
    package static let mostVariables = 1024

    private enum Place {
        case beforeName, name, beforeValue, value, escape, single, double, doubleEscape, comment, commentEscape
    }

    /// Its variables as `NAME=value`, in their order; a line that sets none is passed over. Nil: there are too many.
    package static func variables(in bytes: some Sequence<UInt8>) -> [String]? {
        var reader = Reader()
        for byte in bytes { reader.take(byte) }
        reader.end()
        return reader.variables.count <= mostVariables ? reader.variables : nil
    }

    /// Whether it can be a variable's name.
    package static func isName(_ name: some StringProtocol) -> Bool {
        guard let first = name.utf8.first, first == UInt8(ascii: "_") || isLetter(first) else { return false }
        return name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || isLetter($0) || isDigit($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private struct Reader {
        private(set) var variables: [String] = []
        private var place = Place.beforeName
        private var name: [UInt8] = []
        private var value: [UInt8] = []
        /// Blanks at the end of an unquoted value are none of it.
        private var kept = 0

        mutating func take(_ byte: UInt8) {
            let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
            switch place {
            case .beforeName:
                if byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";") {
                    place = .comment
                } else if !isEnd && !isBlank {
                    name = [byte]
                    place = .name
                }
            case .name:
                if isEnd {
                    place = .beforeName
                } else if byte == UInt8(ascii: "=") {
                    (value, kept, place) = ([], 0, .beforeValue)
                } else {
                    name.append(byte)
                }
            case .beforeValue:
                if byte == UInt8(ascii: "'") {
                    place = .single
                } else if byte == UInt8(ascii: "\"") {
                    place = .double
                } else if !isBlank {
                    takeValue(byte, isEnd: isEnd, isBlank: false)
                }
            case .value: takeValue(byte, isEnd: isEnd, isBlank: isBlank)
            case .escape:
                // The line goes on behind an escaped end.
                if !isEnd { keep(byte) }
                place = .value
            case .single: if byte == UInt8(ascii: "'") { place = .beforeValue } else { keep(byte) }
            case .double:
                if byte == UInt8(ascii: "\"") {
                    place = .beforeValue
                } else if byte == UInt8(ascii: "\\") {
                    place = .doubleEscape
                } else {
                    keep(byte)
                }
            case .doubleEscape:
                if "\"\\`$".utf8.contains(byte) {
                    keep(byte)
                } else if !isEnd {
                    keep(UInt8(ascii: "\\"))
                    keep(byte)
                }
                place = .double
            case .comment:
                if isEnd { place = .beforeName } else if byte == UInt8(ascii: "\\") { place = .commentEscape }
            // Since systemd 254 the line behind it is none of the comment.
            case .commentEscape: place = isEnd ? .beforeName : .comment
            }
        }

        private mutating func takeValue(_ byte: UInt8, isEnd: Bool, isBlank: Bool) {
            if isEnd {
                add()
            } else if byte == UInt8(ascii: "\\") {
                place = .escape
            } else {
                value.append(byte)
                if !isBlank { kept = value.count }
                place = .value
            }
        }

        private mutating func keep(_ byte: UInt8) {
            value.append(byte)
            kept = value.count
        }

        mutating func end() {
            switch place {
            case .beforeName, .name, .comment, .commentEscape: break
            default: add()
            }
        }

        private mutating func add() {
            place = .beforeName
            guard variables.count <= EnvironmentFile.mostVariables,
                let name = String(validating: name, as: UTF8.self),
                let value = String(validating: value.prefix(kept), as: UTF8.self), !value.utf8.contains(0)
            else { return }
            var text = name[...]
            while text.last == " " || text.last == "\t" { text = text.dropLast() }
            if EnvironmentFile.isName(text) { variables.append("\(text)=\(value)") }
        }
    }
}
