internal import CTaskHost

/// Bytes for C, with a NUL behind them; they live as long as this object.
@safe final class CText: @unchecked Sendable {  // constant
    private let memory: UnsafeMutableBufferPointer<CChar>

    init(_ bytes: [UInt8]) {
        unsafe memory = .allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() {
            unsafe memory.initializeElement(at: index, to: CChar(bitPattern: byte))
        }
        unsafe memory.initializeElement(at: bytes.count, to: 0)
    }

    convenience init(_ text: String) { self.init(Array(text.utf8)) }

    deinit { unsafe memory.deallocate() }

    var bytes: taskhost_bytes_t {
        unsafe taskhost_bytes_t(bytes: memory.baseAddress, length: UInt64(memory.count - 1))
    }
}
