/// Why a file is not a library that can be loaded here.
package enum ELFError: Error, Equatable, Sendable {
    /// The file does not begin with the ELF magic number; its first bytes, four at most.
    case notELF(beginning: [UInt8])
    /// The file ends before a part that its header announces.
    case truncated(part: String)
    /// A part of the file contradicts another.
    case malformed(what: String)
    /// The file's words have another size than this machine's.
    case otherWordSize(bits: Int, expected: Int)
    /// The file's byte order is not this machine's.
    case otherByteOrder(isBigEndian: Bool)
    case otherMachine(ELFMachine, expected: ELFMachine)
    /// The file is not a shared library but of another `type`.
    case notSharedLibrary(type: String)
    /// There is no dynamic section, so nothing is exported.
    case notDynamic
}

extension ELFError: CustomStringConvertible {
    /// The continuation of a sentence that begins with the library's name, such as `is for aarch64; this machine is x86_64`.
    package var description: String {
        switch self {
        case .notELF(let beginning):
            if beginning.isEmpty { return "is empty; an ELF shared library is expected" }
            if beginning.starts(with: "#!".utf8) { return "is a script; an ELF shared library is expected" }
            let text = beginning.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
            return "is not an ELF file (it begins with \(text)); a shared library is expected"
        case .truncated(let part): return "ends within its \(part); build or copy it again"
        case .malformed(let what): return "is damaged (\(what)); build or copy it again"
        case .otherWordSize(let bits, let expected):
            return "is a \(bits)-bit file; this machine takes \(expected)-bit ones"
        case .otherByteOrder(let isBigEndian):
            return isBigEndian
                ? "is big-endian; this machine is little-endian" : "is little-endian; this machine is big-endian"
        case .otherMachine(let machine, let expected): return "is for \(machine.name); this machine is \(expected.name)"
        case .notSharedLibrary(let type): return "is \(type); a shared library is expected (link it with -shared)"
        case .notDynamic: return "has no dynamic section; a shared library is expected (link it with -shared)"
        }
    }
}
