extension ELFImage {
    /// A place in a function: the function's linker name, and the offset.
    package struct FunctionPlace: Sendable, Equatable {
        package var name: String
        package var distance: UInt64
    }

    /// The function that contains an address of the file; nil when no symbol names it.
    ///
    /// Searches the tables that section headers name, the full one first, which a stripped library lacks. *Limits*: as
    /// far as `ELFPages` reads.
    package func function(at address: UInt64) -> FunctionPlace? {
        let sections = ELFSections(bytes)
        for kind in [ELFSections.Kind.symbols, .dynamicSymbols] {
            guard let table = sections.first(of: kind), let names = sections.range(table.link),
                let found = function(at: address, in: table, names: names)
            else { continue }
            return found
        }
        return nil
    }

    private func function(at address: UInt64, in table: ELFSections.Section, names: ELFRange) -> FunctionPlace? {
        let (isWide, size) = (is64Bit, ELFDynamic.symbolSize(bytes))
        var best: (start: UInt64, name: UInt32)?
        for index in 0..<table.range.size / size {
            guard let symbol = ELFBytes.element(index, of: size, from: table.range.offset),
                let start = bytes.word(at: symbol &+ (isWide ? 8 : 4))
            else { break }
            guard start <= address, start >= best?.start ?? 1,
                let length = bytes.word(at: symbol &+ (isWide ? 16 : 8)), address - start < max(length, 1),
                let info = bytes.integer(UInt8.self, at: symbol &+ (isWide ? 4 : 12)), [2, 10].contains(info & 15),
                let section = bytes.integer(UInt16.self, at: symbol &+ (isWide ? 6 : 14)), section != 0,
                let name = bytes.integer(UInt32.self, at: symbol)
            else { continue }
            best = (start, name)
        }
        guard let best, UInt64(best.name) < names.size,
            let place = ELFBytes.element(UInt64(best.name), of: 1, from: names.offset),
            let name = bytes.text(at: place, most: min(names.size - UInt64(best.name), UInt64(Self.maximumName)))
        else { return nil }
        return FunctionPlace(name: name, distance: address - best.start)
    }
}

/// The section headers, which locate a file's full symbol table. Only code for display uses them: the loader does not.
private struct ELFSections {
    enum Kind: UInt32 {
        case symbols = 2
        case dynamicSymbols = 11
    }

    struct Section {
        var range: ELFRange
        /// Number of the section with its names.
        var link: UInt32
    }

    private let bytes: ELFBytes
    private var table: UInt64 = 0
    private var size: UInt64 = 0
    private var count: UInt64 = 0

    init(_ bytes: ELFBytes) {
        self.bytes = bytes
        let isWide = bytes.is64Bit
        guard let table = bytes.word(at: isWide ? 40 : 32),
            let size = bytes.integer(UInt16.self, at: isWide ? 58 : 46), size == (isWide ? 64 : 40),
            let count = bytes.integer(UInt16.self, at: isWide ? 60 : 48)
        else { return }
        (self.table, self.size, self.count) = (table, UInt64(size), UInt64(count))
    }

    func first(of kind: Kind) -> Section? {
        for number in 0..<count {
            guard let header = ELFBytes.element(number, of: size, from: table),
                bytes.integer(UInt32.self, at: header &+ 4) == kind.rawValue, let range = range(UInt32(number)),
                let link = bytes.integer(UInt32.self, at: header &+ (bytes.is64Bit ? 40 : 24))
            else { continue }
            return Section(range: range, link: link)
        }
        return nil
    }

    func range(_ number: UInt32) -> ELFRange? {
        guard number < count, let header = ELFBytes.element(UInt64(number), of: size, from: table),
            let offset = bytes.word(at: header &+ (bytes.is64Bit ? 24 : 16)),
            let size = bytes.word(at: header &+ (bytes.is64Bit ? 32 : 20))
        else { return nil }
        return ELFRange(offset: offset, size: size)
    }
}
