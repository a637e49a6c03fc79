import CTaskHost
import TaskModel

/// Texts that are lent to a C function for one call: copies, each with a NUL behind it, which go with this value.
// Its texts live until deinit, behind the one call that they are lent to.
@safe struct Loan: ~Copyable {
    private var texts: [UnsafeMutableRawPointer] = unsafe []

    deinit { unsafe texts.forEach { unsafe $0.deallocate() } }

    mutating func bytes(_ text: String) -> taskhost_bytes { unsafe bytes(Array(text.utf8)) }

    /// Empty bytes have no address, as a missing text has none.
    mutating func bytes(_ bytes: [UInt8]) -> taskhost_bytes {
        guard !bytes.isEmpty else { return unsafe taskhost_bytes() }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        unsafe bytes.withUnsafeBytes {
            if let start = $0.baseAddress { unsafe copy.copyMemory(from: start, byteCount: $0.count) }
        }
        unsafe copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
        unsafe texts.append(copy)
        return unsafe taskhost_bytes(bytes: copy.assumingMemoryBound(to: CChar.self), length: UInt64(bytes.count))
    }

    mutating func headers(_ headers: [HTTPHeader]) -> UnsafePointer<taskhost_header>? {
        guard !headers.isEmpty else { return nil }
        let copy = UnsafeMutablePointer<taskhost_header>.allocate(capacity: headers.count)
        for (index, header) in headers.enumerated() {
            unsafe copy[index] = unsafe taskhost_header(name: bytes(header.name), value: bytes(header.value))
        }
        unsafe texts.append(UnsafeMutableRawPointer(copy))
        return unsafe UnsafePointer(copy)
    }
}

extension taskhost_bytes {
    /// A copy of it; nil when it is longer than `most` bytes.
    func copied(most: Int) -> [UInt8]? {
        guard let bytes = unsafe bytes, unsafe length > 0 else { return [] }
        guard unsafe length <= UInt64(most) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
    }

    /// As a text; nil when it is longer than `most` bytes.
    func text(most: Int) -> String? { unsafe copied(most: most).map { String(decoding: $0, as: UTF8.self) } }
}

/// Reads a struct of the plugin no further than the size that it begins with; the rest is zero.
func readStruct<Struct: BitwiseCopyable>(_ found: UnsafePointer<Struct>, _ empty: Struct) -> Struct {
    var copy = empty
    let size = unsafe Int(UnsafeRawPointer(found).loadUnaligned(as: UInt32.self))
    unsafe withUnsafeMutableBytes(of: &copy) { ours in
        unsafe ours.copyMemory(from: UnsafeRawBufferPointer(start: found, count: min(size, ours.count)))
    }
    return copy
}

/// A copy that is never freed, for C code that keeps the pointer.
func forever<Value>(_ value: Value) -> UnsafePointer<Value> {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe place.initialize(to: value)
    return unsafe UnsafePointer(place)
}
