/// The parts of a file that were asked for: each page is read when it is first needed, so that a large library costs as much
/// as a small one.
///
/// *Limits*: `maximumPages` are read; what lies beyond is as if the file ended there.
final class ELFPages {
    static let pageSize = 4096
    /// No honest library spreads what is asked of it over more: headers, the dynamic section, and for each symbol a bucket, a
    /// chain, its entry and its name.
    static let maximumPages = 4096

    /// Reads at an offset and returns how many bytes came; fewer than asked for: the file ends, or cannot be read.
    typealias Reader = (UInt64, UnsafeMutableRawBufferPointer) -> Int

    let size: UInt64
    private let read: Reader
    private var pages: [UInt64: [UInt8]] = [:]
    private var lastNumber = UInt64.max
    private var lastPage: [UInt8] = []

    /// How many pages were read.
    var count: Int { pages.count }

    init(size: UInt64, read: @escaping Reader) {
        self.size = size
        self.read = read
    }

    /// An integer as it lies in the file; nil when it reaches past the end.
    func load<T: FixedWidthInteger>(_ type: T.Type, at offset: UInt64) -> T? {
        let width = UInt64(MemoryLayout<T>.size)
        guard size >= width, offset <= size - width else { return nil }
        let place = Int(offset % UInt64(Self.pageSize))
        guard place + Int(width) > Self.pageSize else {
            guard let page = page(offset / UInt64(Self.pageSize)), page.count >= place + Int(width) else { return nil }
            // In bounds by the guard; loadUnaligned asks for no alignment.
            return page.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
        }
        return withUnsafeTemporaryAllocation(byteCount: Int(width), alignment: 8) { bytes in
            for index in 0..<Int(width) {
                let byte = offset + UInt64(index)
                let place = Int(byte % UInt64(Self.pageSize))
                guard let page = page(byte / UInt64(Self.pageSize)), place < page.count else { return nil }
                bytes[index] = page[place]
            }
            return bytes.loadUnaligned(as: type)
        }
    }

    private func page(_ number: UInt64) -> [UInt8]? {
        if number == lastNumber { return lastPage }
        if let page = pages[number] {
            (lastNumber, lastPage) = (number, page)
            return page
        }
        guard pages.count < Self.maximumPages else { return nil }
        let start = number * UInt64(Self.pageSize)
        let length = Int(min(UInt64(Self.pageSize), size - start))
        let page = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = min(length, max(0, read(start, UnsafeMutableRawBufferPointer(buffer))))
        }
        pages[number] = page
        (lastNumber, lastPage) = (number, page)
        return page
    }
}
