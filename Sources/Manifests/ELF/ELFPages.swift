/// The requested parts of a file: each page is read when it is first needed, so that a large library costs as much as a
/// small one.
///
/// *Limits*: `maximumPages` are read; the file appears to end after them.
final class ELFPages {
    static let pageSize = 4096
    /// More than a valid library needs: headers, the dynamic section, and for each symbol a bucket, a chain, its entry and
    /// its name.
    static let maximumPages = 4096

    /// Reads at an offset and returns the number of bytes; fewer than requested: the file ends, or cannot be read.
    typealias Reader = (UInt64, Int) -> [UInt8]

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

    /// An integer in the file's byte order; nil when it reaches past the end.
    func load<T: FixedWidthInteger>(_ type: T.Type, at offset: UInt64) -> T? {
        let width = UInt64(MemoryLayout<T>.size)
        guard size >= width, offset <= size - width else { return nil }
        var value: T = 0
        for index in (0..<width).reversed() {
            guard let byte = byte(at: offset + index) else { return nil }
            value = (width > 1 ? value << 8 : 0) | T(truncatingIfNeeded: byte)
        }
        return value
    }

    private func byte(at offset: UInt64) -> UInt8? {
        let number = offset / UInt64(Self.pageSize)
        guard number == lastNumber || page(number) != nil else { return nil }
        let place = Int(offset % UInt64(Self.pageSize))
        return place < lastPage.count ? lastPage[place] : nil
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
        let page = Array(read(start, length).prefix(length))
        pages[number] = page
        (lastNumber, lastPage) = (number, page)
        return page
    }
}
