/// The dynamic section: the places of the tables of names, symbols and hashes in the file.
struct ELFDynamic {
    /// Offsets into `names` of the needed libraries.
    private(set) var needed: [UInt64] = []
    /// The string table.
    private(set) var names = ELFRange(offset: 0, size: 0)
    private(set) var symbols: UInt64?
    private(set) var gnuHash: UInt64?
    private(set) var systemVHash: UInt64?
    private(set) var versions: UInt64?
    /// A program that happens to be position-independent; dlopen(3) refuses it.
    private(set) var isExecutable = false

    init(_ bytes: ELFBytes, at place: ELFRange, segments: [ELFSegment]) throws(ELFError) {
        var table: [UInt64: UInt64] = [:]
        var index: UInt64 = 0
        while true {
            guard let offset = ELFBytes.element(index, of: 2 * bytes.wordSize, from: place.offset),
                index < place.size / (2 * bytes.wordSize), let tag = bytes.word(at: offset),
                let value = bytes.word(at: offset &+ bytes.wordSize)
            else { throw .truncated(part: "dynamic section") }
            if tag == Tag.end { break }
            if tag == Tag.needed {
                guard needed.count < ELFImage.maximumNeeded else {
                    throw .malformed(what: "it asks for more than \(ELFImage.maximumNeeded) libraries")
                }
                needed.append(value)
            } else if Tag.known.contains(tag) {
                // Only known tags, so that a hostile section cannot fill the table.
                table[tag] = value
            }
            index += 1
        }
        func locate(_ tag: UInt64, _ what: String) throws(ELFError) -> ELFRange? {
            guard let address = table[tag] else { return nil }
            guard let range = segments.fileRange(at: address) else {
                throw .malformed(what: "its \(what) lies outside every segment")
            }
            return range
        }
        if let found = try locate(Tag.names, "string table") {
            names = ELFRange(offset: found.offset, size: min(found.size, table[Tag.namesSize] ?? 0))
        }
        symbols = try locate(Tag.symbols, "symbol table")?.offset
        gnuHash = try locate(Tag.gnuHash, "hash table")?.offset
        systemVHash = try locate(Tag.hash, "hash table")?.offset
        versions = try locate(Tag.versions, "version table")?.offset
        isExecutable = (table[Tag.flags1] ?? 0) & 0x0800_0000 != 0
        if let size = table[Tag.symbolSize], size != Self.symbolSize(bytes) {
            throw .malformed(what: "its symbols have \(size) bytes each")
        }
    }

    /// The strings at some offsets of the string table.
    func names(_ offsets: [UInt64], in bytes: ELFBytes) throws(ELFError) -> [String] {
        var texts: [String] = []
        for offset in offsets {
            guard let name = name(at: offset, in: bytes) else {
                throw .malformed(what: "a library's name lies outside the string table")
            }
            texts.append(name)
        }
        return texts
    }

    private func name(at offset: UInt64, in bytes: ELFBytes) -> String? {
        guard offset < names.size, let start = ELFBytes.element(offset, of: 1, from: names.offset) else { return nil }
        return bytes.text(at: start, most: min(names.size - offset, UInt64(ELFImage.maximumName)))
    }

    /// Whether the string at an offset of the string table is exactly this name.
    func isName(_ name: [UInt8], at offset: UInt64, in bytes: ELFBytes) -> Bool {
        guard offset < names.size, names.size - offset > UInt64(name.count) else { return false }
        guard let start = ELFBytes.element(offset, of: 1, from: names.offset) else { return false }
        for (index, byte) in (name + [0]).enumerated() {
            guard let place = ELFBytes.element(UInt64(index), of: 1, from: start),
                bytes.integer(UInt8.self, at: place) == byte
            else { return false }
        }
        return true
    }

    static func symbolSize(_ bytes: ELFBytes) -> UInt64 { bytes.is64Bit ? 24 : 16 }

    /// `d_tag` of elf.h.
    private enum Tag {
        static let end: UInt64 = 0
        static let needed: UInt64 = 1
        static let hash: UInt64 = 4
        static let names: UInt64 = 5
        static let symbols: UInt64 = 6
        static let namesSize: UInt64 = 10
        static let symbolSize: UInt64 = 11
        static let gnuHash: UInt64 = 0x6FFF_FEF5
        static let versions: UInt64 = 0x6FFF_FFF0
        static let flags1: UInt64 = 0x6FFF_FFFB
        static let known: Set<UInt64> = [hash, names, symbols, namesSize, symbolSize, gnuHash, versions, flags1]
    }
}
