/// Texts as C takes a list of them, for as long as this value lives.
struct CTexts: ~Copyable {
    private let texts: [UnsafePointer<CChar>?]

    init(_ texts: [String]) {
        self.texts = texts.map { text in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
            for (index, byte) in text.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[text.utf8.count] = 0
            return UnsafePointer(copy)
        }
    }

    deinit { for text in texts { text?.deallocate() } }

    borrowing func with<R>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R { body(texts) }
}
