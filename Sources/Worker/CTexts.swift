/// Texts as C takes a list of them, for as long as this value lives.
// Each text has its NUL, and lives until deinit.
@safe struct CTexts: ~Copyable {
    private let texts: [UnsafePointer<CChar>?]

    init(_ texts: [String]) {
        unsafe self.texts = texts.map { text in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
            for (index, byte) in text.utf8.enumerated() { unsafe copy[index] = CChar(bitPattern: byte) }
            unsafe copy[text.utf8.count] = 0
            return unsafe UnsafePointer(copy)
        }
    }

    deinit { unsafe texts.forEach { unsafe $0?.deallocate() } }

    borrowing func with<R>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R { unsafe body(texts) }
}
