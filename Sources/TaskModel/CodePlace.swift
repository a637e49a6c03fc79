/// An address of a process as a place in the file that was mapped there.
package struct CodePlace: Sendable, Equatable {
    /// Path of the file; empty: unknown.
    package var module: String
    /// The address in the file's own numbering.
    package var offset: UInt64

    package init(module: String, offset: UInt64) {
        self.module = module
        self.offset = offset
    }

    /// Without spaces, for any file name.
    package var word: String {
        let path = module.isEmpty ? "?" : String(module.map { $0.isWhitespace ? "?" : $0 })
        return "\(path)+0x\(String(offset, radix: 16))"
    }

    /// nil: it does not have this form.
    package init?(word: Substring) {
        guard let plus = word.lastIndex(of: "+"), word[plus...].hasPrefix("+0x"),
            let offset = UInt64(word[plus...].dropFirst(3), radix: 16)
        else { return nil }
        self.init(module: word[..<plus] == "?" ? "" : String(word[..<plus]), offset: offset)
    }
}
