/// Bytes that wait for a client. It may never be empty, so that what the client took is dropped as more comes.
package struct PendingBytes {
    private var bytes: [UInt8]
    /// Those before it were taken.
    private var start = 0

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    package var count: Int { bytes.count - start }
    /// With those that were taken and not dropped: less than twice as many, plus what was added last.
    package var stored: Int { bytes.count }

    package mutating func append(contentsOf more: some Collection<UInt8>) {
        // At half: each byte is moved once at most for each one that is added.
        if start > 0, start >= count {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    package mutating func removeAll() {
        bytes = []
        start = 0
    }

    /// Copies as many as there are, `room` at most.
    package mutating func take(into buffer: UnsafeMutablePointer<CChar>, _ room: Int) -> Int {
        let count = min(room, count)
        guard count > 0 else { return 0 }
        unsafe bytes.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
        }
        start += count
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        }
        return count
    }
}
