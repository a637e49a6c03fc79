/// A library's own data: its machine, its dependencies and its exports.
///
/// None of the library's code runs, and the file is not trusted: every offset, size and count is checked, and a damaged file
/// throws an `ELFError`. Section headers are not used, so a stripped library is read as the loader reads it.
///
/// *Ownership*: it reads on demand. The bytes, or the file, must outlive the image. *Limits*: `needed` has at most
/// `maximumNeeded` names of at most `maximumName` bytes.
package struct ELFImage {
    package static let maximumNeeded = 1024
    package static let maximumName = 4096

    package let is64Bit: Bool
    package let isBigEndian: Bool
    package let machine: ELFMachine
    /// `e_type` of elf.h; 3 (ET_DYN) is a shared library.
    package let type: UInt16
    /// Needed libraries (DT_NEEDED), in order.
    package private(set) var needed: [String] = []

    let bytes: ELFBytes
    private(set) var dynamic: ELFDynamic?

    /// The machine's usual name, such as `x86_64`.
    package var machineName: String { machine.name }

    /// Of 4096 bytes each, that were read so far.
    package var pagesRead: Int { bytes.pages.count }

    /// Reads the headers and the dynamic section of a file that lies in memory; as the other initializer.
    package init(_ memory: [UInt8]) throws(ELFError) {
        try self.init(size: UInt64(memory.count)) { offset, length in
            Array(memory.dropFirst(Int(clamping: offset)).prefix(length))
        }
    }

    /// Reads the headers and the dynamic section.
    ///
    /// - Parameter read: reads the file at an offset, and returns how many bytes came.
    /// - Throws: when this is not an ELF file, or a damaged one. A file for another machine is not an error here; see
    ///   `checkLoadable`.
    package init(
        size: UInt64, read: @escaping (_ offset: UInt64, _ length: Int) -> [UInt8]
    ) throws(ELFError) {
        let pages = ELFPages(size: size, read: read)
        let start = (0..<min(size, 6)).compactMap { pages.load(UInt8.self, at: $0) }
        guard start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { throw .notELF(beginning: Array(start.prefix(4))) }
        guard start.count == 6, size >= 16 else { throw .truncated(part: "header") }
        guard start[4] == 1 || start[4] == 2 else { throw .malformed(what: "its class is \(start[4])") }
        guard start[5] == 1 || start[5] == 2 else { throw .malformed(what: "its byte order is \(start[5])") }
        is64Bit = start[4] == 2
        isBigEndian = start[5] == 2
        bytes = ELFBytes(pages: pages, is64Bit: is64Bit, isBigEndian: isBigEndian)
        guard let type = bytes.integer(UInt16.self, at: 16), let machine = bytes.integer(UInt16.self, at: 18) else {
            throw .truncated(part: "header")
        }
        self.type = type
        self.machine = ELFMachine(number: machine)
        let headers = try Self.programHeaders(bytes)
        guard let place = headers.dynamic else { return }
        let dynamic = try ELFDynamic(bytes, at: place, segments: headers.loaded)
        needed = try dynamic.names(dynamic.needed, in: bytes)
        self.dynamic = dynamic
    }

    /// Whether the loader of a machine would take the file as a library.
    ///
    /// - Throws: why it would not.
    package func checkLoadable(on host: ELFMachine = .current) throws(ELFError) {
        let bits = is64Bit ? 64 : 32
        guard machine == host else { throw .otherMachine(machine, expected: host) }
        guard bits == Int.bitWidth else { throw .otherWordSize(bits: bits, expected: Int.bitWidth) }
        guard isBigEndian == (1.bigEndian == 1) else { throw .otherByteOrder(isBigEndian: isBigEndian) }
        guard type == 3 else { throw .notSharedLibrary(type: typeName) }
        guard let dynamic else { throw .notDynamic }
        guard !dynamic.isExecutable else { throw .notSharedLibrary(type: "a position-independent program") }
    }

    private var typeName: String {
        switch type {
        case 1: "an object file"
        case 2: "a program"
        case 4: "a core dump"
        default: "an ELF file of type \(type)"
        }
    }

    private static func programHeaders(_ bytes: ELFBytes) throws(ELFError) -> (
        loaded: [ELFSegment], dynamic: ELFRange?
    ) {
        let isWide = bytes.is64Bit
        guard let table = bytes.word(at: isWide ? 32 : 28), let size = bytes.integer(UInt16.self, at: isWide ? 54 : 42),
            let count = bytes.integer(UInt16.self, at: isWide ? 56 : 44)
        else { throw .truncated(part: "header") }
        guard count > 0 else { return ([], nil) }
        let expectedSize: UInt16 = isWide ? 56 : 32
        guard size == expectedSize else { throw .malformed(what: "its program headers have \(size) bytes each") }
        // PN_XNUM: the count would be in a section header. No library has that many.
        guard count < 0xFFFF else { throw .malformed(what: "it has too many program headers") }
        var loaded: [ELFSegment] = []
        var dynamic: ELFRange?
        for index in 0..<UInt64(count) {
            guard let start = ELFBytes.element(index, of: UInt64(size), from: table),
                let kind = bytes.integer(UInt32.self, at: start),
                let offset = bytes.word(at: start &+ (isWide ? 8 : 4)),
                let address = bytes.word(at: start &+ (isWide ? 16 : 8)),
                let fileSize = bytes.word(at: start &+ (isWide ? 32 : 16))
            else { throw .truncated(part: "program headers") }
            switch kind {
            case 1: loaded.append(ELFSegment(address: address, offset: offset, size: fileSize))
            case 2: dynamic = ELFRange(offset: offset, size: fileSize)
            default: continue
            }
        }
        return (loaded, dynamic)
    }
}
