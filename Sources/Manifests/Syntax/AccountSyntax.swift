/// Names of users and groups of the machine, as useradd(8) makes them.
package enum AccountSyntax {
    static let maximumLength = 32
    static let expectedUser = "the name of a user of this machine"
    static let expectedGroup = "the name of a group of this machine"

    /// Letters, digits and `_.-`, with a letter or `_` first. Numbers are not names.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "_.-".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
