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
        var path = String.UnicodeScalarView()
        path.append(contentsOf: module.unicodeScalars.map { $0.properties.isWhitespace ? "?" : $0 })
        return "\(path.isEmpty ? "?" : String(path))+0x\(String(offset, radix: 16))"
    }

    /// nil: it does not have this form.
    package init?(word: Substring) {
        // By bytes: a file's last character may join the plus sign, as U+0600 does.
        let bytes = word.utf8
        guard let plus = bytes.lastIndex(of: UInt8(ascii: "+")), bytes[plus...].starts(with: "+0x".utf8),
            let offset = UInt64(String(decoding: bytes[plus...].dropFirst(3), as: UTF8.self), radix: 16)
        else { return nil }
        let module = String(decoding: bytes[..<plus], as: UTF8.self)
        self.init(module: module == "?" ? "" : module, offset: offset)
    }
}
