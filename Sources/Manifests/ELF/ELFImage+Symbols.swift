extension ELFImage {
    /// What an exported symbol is.
    package enum SymbolKind: Sendable, Equatable {
        case function
        case object
        /// Assembly code without a type; dlsym(3) finds it nevertheless.
        case untyped
    }

    /// Whether dlsym(3) would find the symbol in this library.
    package func exports(_ symbol: String) -> Bool { kind(of: symbol) != nil }

    /// What an exported symbol is; nil when dlsym(3) would not find it in this library.
    package func kind(of symbol: String) -> SymbolKind? {
        guard let dynamic, let symbols = dynamic.symbols else { return nil }
        let name = Array(symbol.utf8)
        guard !name.isEmpty, !name.contains(0) else { return nil }
        let table = ELFSymbolTable(bytes: bytes, dynamic: dynamic, symbols: symbols)
        // The loader prefers the GNU table when both are there (dl-lookup.c).
        if let hash = dynamic.gnuHash { return table.find(name, gnuHash: hash) }
        if let hash = dynamic.systemVHash { return table.find(name, systemVHash: hash) }
        return nil
    }
}

/// The symbol table together with its hash tables.
private struct ELFSymbolTable {
    /// Symbols with one hash that are looked through.
    private static let longestChain: UInt64 = 1 << 16

    let bytes: ELFBytes
    let dynamic: ELFDynamic
    let symbols: UInt64

    /// The table of DT_GNU_HASH: a Bloom filter, buckets, and chains that end with an odd hash.
    func find(_ name: [UInt8], gnuHash table: UInt64) -> ELFImage.SymbolKind? {
        let hash = name.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) }
        guard let buckets = half(table, 0), let first = half(table, 1), let filters = half(table, 2),
            let shift = half(table, 3), buckets > 0, filters > 0, shift < 32
        else { return nil }
        let bits = UInt32(bytes.is64Bit ? 64 : 32)
        guard let filterStart = ELFBytes.element(1, of: 16, from: table),
            let filterPlace = ELFBytes.element(
                UInt64((hash / bits) & (filters - 1)), of: bytes.wordSize, from: filterStart),
            let filter = bytes.word(at: filterPlace)
        else { return nil }
        let mask = UInt64(1) << UInt64(hash % bits) | UInt64(1) << UInt64((hash >> shift) % bits)
        guard filter & mask == mask else { return nil }
        guard let bucketStart = ELFBytes.element(UInt64(filters), of: bytes.wordSize, from: filterStart),
            let chainStart = ELFBytes.element(UInt64(buckets), of: 4, from: bucketStart),
            var index = half(bucketStart, UInt64(hash % buckets)), index >= first
        else { return nil }
        // Ends at the latest with the file: `half` is nil there.
        while let link = half(chainStart, UInt64(index - first)) {
            if link | 1 == hash | 1, let kind = kind(ofSymbol: index, named: name) { return kind }
            if link & 1 == 1 || index == .max { return nil }
            index += 1
        }
        return nil
    }

    /// The table of DT_HASH: buckets and chains that end with 0.
    func find(_ name: [UInt8], systemVHash table: UInt64) -> ELFImage.SymbolKind? {
        let hash = name.reduce(UInt32(0)) { hash, byte in
            let next = hash << 4 &+ UInt32(byte)
            let high = next & 0xF000_0000
            return (next ^ high >> 24) & ~high
        }
        guard let buckets = half(table, 0), let chains = half(table, 1), buckets > 0,
            var index = half(table, 2 + UInt64(hash % buckets))
        else { return nil }
        // A chain can be made to run in a circle; no honest one is longer than the file has words.
        var steps = min(UInt64(chains), bytes.pages.size / 4, Self.longestChain)
        while index != 0, index < chains, steps > 0 {
            if let kind = kind(ofSymbol: index, named: name) { return kind }
            guard let next = half(table, 2 + UInt64(buckets) + UInt64(index)) else { return nil }
            index = next
            steps -= 1
        }
        return nil
    }

    /// The 32-bit word at an index of a table.
    private func half(_ table: UInt64, _ index: UInt64) -> UInt32? {
        ELFBytes.element(index, of: 4, from: table).flatMap { bytes.integer(UInt32.self, at: $0) }
    }

    /// The kind of the symbol, if it has this name and is visible.
    private func kind(ofSymbol index: UInt32, named name: [UInt8]) -> ELFImage.SymbolKind? {
        let isWide = bytes.is64Bit
        guard let start = ELFBytes.element(UInt64(index), of: ELFDynamic.symbolSize(bytes), from: symbols),
            let nameOffset = bytes.integer(UInt32.self, at: start),
            let info = bytes.integer(UInt8.self, at: start &+ (isWide ? 4 : 12)),
            let other = bytes.integer(UInt8.self, at: start &+ (isWide ? 5 : 13)),
            let section = bytes.integer(UInt16.self, at: start &+ (isWide ? 6 : 14)),
            let value = bytes.word(at: start &+ (isWide ? 8 : 4)),
            dynamic.isName(name, at: UInt64(nameOffset), in: bytes)
        else { return nil }
        let isUndefined = section == 0
        let isAbsolute = section == 0xFFF1
        guard !isUndefined, value != 0 || isAbsolute else { return nil }
        // GLOBAL, WEAK, GNU_UNIQUE; DEFAULT and PROTECTED visibility.
        guard [1, 2, 10].contains(info >> 4), [0, 3].contains(other & 3), !isHidden(index) else { return nil }
        switch info & 15 {
        case 2, 10: return .function
        case 1, 5: return .object
        case 0: return .untyped
        default: return nil
        }
    }

    /// Whether the symbol is an old version that only dlvsym(3) finds.
    private func isHidden(_ index: UInt32) -> Bool {
        guard let versions = dynamic.versions, let place = ELFBytes.element(UInt64(index), of: 2, from: versions),
            let version = bytes.integer(UInt16.self, at: place)
        else { return false }
        return version & 0x8000 != 0 && version & 0x7FFF >= 2
    }
}
