import Foundation

/// Reads the fields of a DER document, one after another. Only the shortest encodings are accepted.
struct DERReader {
    /// The types of fields that keys and signatures have.
    enum Tag {
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let identifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
        static let first: UInt8 = 0xA0
        static let second: UInt8 = 0xA1
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

    /// The type of the next field; nil at the end.
    var next: UInt8? { rest.first }

    /// The content of the next field, which must be of a type.
    mutating func read(_ tag: UInt8) throws -> ArraySlice<UInt8> {
        guard let found = rest.popFirst() else { throw CryptoKitASN1Error.truncatedASN1Field }
        guard found == tag else {
            throw found & 0x1F == 0x1F
                ? CryptoKitASN1Error.invalidFieldIdentifier : CryptoKitASN1Error.unexpectedFieldType
        }
        let length = try readLength()
        guard rest.count >= length else { throw CryptoKitASN1Error.truncatedASN1Field }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    private mutating func readLength() throws -> Int {
        guard let first = rest.popFirst() else { throw CryptoKitASN1Error.truncatedASN1Field }
        guard first & 0x80 != 0 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count) else { throw CryptoKitASN1Error.unsupportedFieldLength }
        guard rest.count >= count else { throw CryptoKitASN1Error.truncatedASN1Field }
        let length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        guard length >= 0x80, rest.first != 0 else { throw CryptoKitASN1Error.unsupportedFieldLength }
        rest = rest.dropFirst(count)
        return length
    }

    /// The fields of the next field, a sequence or one that is tagged.
    mutating func nested(_ tag: UInt8 = Tag.sequence) throws -> DERReader { DERReader(try read(tag)) }

    /// The next field: a number that is not negative, without leading zeros.
    mutating func readInteger() throws -> ArraySlice<UInt8> {
        let bytes = try read(Tag.integer)
        guard let first = bytes.first, first & 0x80 == 0 else { throw CryptoKitASN1Error.invalidASN1IntegerEncoding }
        guard first == 0 else { return bytes }
        guard bytes.count == 1 || bytes[bytes.startIndex + 1] & 0x80 != 0 else {
            throw CryptoKitASN1Error.invalidASN1IntegerEncoding
        }
        return bytes.dropFirst()
    }

    /// The next field: bits that are whole bytes.
    mutating func readBits() throws -> ArraySlice<UInt8> {
        let bytes = try read(Tag.bitString)
        guard bytes.first == 0 else { throw CryptoKitASN1Error.invalidASN1Object }
        return bytes.dropFirst()
    }

    /// Ends with an error when something follows.
    func end() throws {
        guard rest.isEmpty else { throw CryptoKitASN1Error.invalidASN1Object }
    }
}

/// Writes DER.
enum DERWriter {
    /// A field with a content.
    static func field(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap { $0 }
        let count = content.count
        switch count {
        case ..<0x80: return [tag, UInt8(count)] + content
        case ..<0x100: return [tag, 0x81, UInt8(count)] + content
        default: return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
        }
    }

    /// A number that is not negative.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let short = Array(bytes.drop { $0 == 0 })
        return field(DERReader.Tag.integer, short.first.map { $0 & 0x80 == 0 } ?? false ? short : [0] + short)
    }

    /// Whole bytes as bits.
    static func bits(_ bytes: some Collection<UInt8>) -> [UInt8] { field(DERReader.Tag.bitString, [0] + bytes) }
}

/// A PEM document: one object in base 64 between two lines.
enum PEM {
    static func encode(_ label: String, _ der: Data) -> String {
        let text = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----"
    }

    /// The object of a document with one of the labels.
    static func decode(_ text: String, labels: [String]) throws -> Data {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.drop(
            while: \.isEmpty)
        let kept = lines.reversed().drop(while: \.isEmpty).reversed()
        guard kept.count >= 3,
            let label = labels.first(where: { kept.first == "-----BEGIN \($0)-----" }),
            kept.last == "-----END \(label)-----",
            let data = Data(base64Encoded: kept.dropFirst().dropLast().joined()), !data.isEmpty
        else { throw CryptoKitASN1Error.invalidPEMDocument }
        return data
    }
}
