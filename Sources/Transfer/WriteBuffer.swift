/// Gathers what libcurl hands out in pieces of 16 KiB, so that the file is written in large ones: a piece at a time costs
/// several times as much processor time as the copy. One for all attempts; nothing stays in it beyond a turn. *Thread*: the
/// loop's.
// Its bytes are its own from init to deinit, and each copy ends within them; one thread.
@safe final class WriteBuffer {
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 512 << 10, alignment: 4096)
    private var count = 0
    /// The attempt that the bytes belong to.
    private var owner: Attempt?

    deinit { unsafe bytes.deallocate() }

    /// Bytes of the attempt that are not in its file yet.
    func count(of attempt: Attempt) -> Int { owner === attempt ? count : 0 }

    /// Takes bytes that come next in the attempt's file. What another one has left is written first.
    func add(_ part: UnsafeRawBufferPointer, of attempt: Attempt) {
        if unsafe owner !== attempt || count + part.count > bytes.count { flush() }
        guard unsafe part.count <= bytes.count else { return unsafe attempt.write(part) }
        guard unsafe !part.isEmpty, attempt.mayWrite else { return }
        owner = attempt
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: part)
        count += part.count
    }

    /// Writes what there is.
    func flush() {
        guard let attempt = owner else { return }
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
        owner = nil
        count = 0
        unsafe attempt.write(part)
    }

    /// Forgets the attempt's bytes: its file is not its own any more.
    func drop(_ attempt: Attempt) {
        guard owner === attempt else { return }
        owner = nil
        count = 0
    }
}
