/// A printf-like format with its arguments. The conversions are those of os_log: `%@` takes anything, forms such as
/// `%{public}@` choose the privacy. Text and objects are private unless the format says otherwise.
package struct FormattedMessage {
    package private(set) var text = ""

    package init(_ format: String, _ arguments: [Any?]) {
        var rest = arguments[...]
        var characters = Substring(format)
        while let percent = characters.firstIndex(of: "%") {
            text += characters[..<percent]
            characters = characters[characters.index(after: percent)...]
            guard var conversion = Conversion(parsing: &characters) else {
                text += "%"
                continue
            }
            if conversion.letter == "%" {
                text += "%"
            } else if conversion.takeStars(from: &rest), let argument = rest.popFirst() {
                text += conversion.apply(argument)
            } else {
                text += "<decode: missing data>"
            }
        }
        text += characters
    }

    private struct Conversion {
        var isPublic = false
        var isPrivate = false
        /// How `%{bool}d` and `%{BOOL}d` write no and yes.
        var truths: (no: String, yes: String)?
        /// Flags, width and precision, as written; a `*` is among the arguments.
        var flags = ""
        var letter: Character = "%"

        /// Reads the text after a percent sign; nil, with nothing read, when that is not a conversion.
        init?(parsing characters: inout Substring) {
            var rest = characters
            if rest.first == "{" {
                guard let end = rest.firstIndex(of: "}") else { return nil }
                let options = rest[rest.index(after: rest.startIndex)..<end].split(separator: ",")
                for option in options.map({ $0.trimmingCharacters(in: .whitespaces) }) {
                    if option == "bool" { truths = ("false", "true") }
                    if option == "BOOL" { truths = ("NO", "YES") }
                    if option == "public" { isPublic = true }
                    if option == "private" || option == "sensitive" || option.hasPrefix("mask") { isPrivate = true }
                }
                rest = rest[rest.index(after: end)...]
            }
            while let next = rest.first, "-+ #0123456789.*".contains(next) {
                flags.append(next)
                rest = rest.dropFirst()
            }
            // Length modifiers are ignored: the arguments have their types.
            while let next = rest.first, "hlLqjzt".contains(next) { rest = rest.dropFirst() }
            guard let letter = rest.first, "@diouxXeEfFgGaAcCsSpP%m".contains(letter) else { return nil }
            self.letter = letter
            characters = rest.dropFirst()
        }

        /// Replaces stars by the widths and precisions among the arguments, none of them above a thousand. False when
        /// one is missing.
        mutating func takeStars(from arguments: inout ArraySlice<Any?>) -> Bool {
            while let star = flags.firstIndex(of: "*") {
                guard let argument = arguments.popFirst() else { return false }
                let number = (argument as? any BinaryInteger).map { min(max(Int(clamping: $0), -1_000), 1_000) } ?? 0
                let head = flags[..<star]
                // A negative precision counts as none.
                let start = head.last == "." && number < 0 ? head.dropLast() : head + "\(number)"
                flags = String(start + flags[flags.index(after: star)...])
            }
            return true
        }

        func apply(_ argument: Any?) -> String {
            let (value, isNumber) = written(argument)
            return isPrivate || !(isPublic || isNumber) ? "<private>" : value
        }

        private func written(_ argument: Any?) -> (String, isNumber: Bool) {
            guard let argument else { return ("(null)", false) }
            switch (letter, argument) {
            case ("@", _), ("s", _), ("S", _): return ("\(argument)", false)
            case (_, let number as any BinaryInteger) where truths != nil:
                return ((Int(clamping: number) == 0 ? truths?.no : truths?.yes) ?? "", true)
            case (_, let number as any BinaryInteger) where "diouxXcC".contains(letter):
                return (integer(number), true)
            case (_, let number as any BinaryFloatingPoint) where "eEfFgGaA".contains(letter):
                return (String(format: "%\(flags)\(letter)", Double(number)), true)
            case (_, is any BinaryInteger), (_, is any BinaryFloatingPoint), (_, is Bool): return ("\(argument)", true)
            default: return ("\(argument)", false)
            }
        }

        private func integer(_ number: some BinaryInteger) -> String {
            switch letter {
            case "c", "C": UnicodeScalar(UInt32(truncatingIfNeeded: number)).map { String($0) } ?? ""
            case "d", "i": String(format: "%\(flags)lld", Int64(truncatingIfNeeded: number))
            default: String(format: "%\(flags)ll\(letter)", UInt64(truncatingIfNeeded: number))
            }
        }
    }
}
