/// Names of IANA time zones, such as `America/Argentina/Ushuaia`. They are paths below the zone folder: none leads out of it.
package enum TimeZoneSyntax {
    /// Bytes at most.
    package static let maximumLength = 64

    package static func isName(_ text: String) -> Bool {
        text.utf8.count <= maximumLength
            && text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
                part.first.map(ASCII.isLetter) == true
                    && part.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "_+-".utf8.contains($0) }
            }
    }
}
