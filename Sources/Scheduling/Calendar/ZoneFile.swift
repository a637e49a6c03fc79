import TaskModel

/// Reads a zone file: TZif, versions 1 to 4 (RFC 9636). Takes nothing on trust: every count is checked against the bytes.
struct ZoneFile {
    /// Bytes at most. The largest of the tz database have 4 KiB.
    static let maximumBytes = 256 << 10
    /// Seconds. Changes further away are refused; the format requires no more than 2^59.
    private static let times = -(Int64(1) << 60)...(Int64(1) << 60)
    private static let headerBytes = 44

    private struct Header {
        var version: UInt8
        var utcFlags: Int
        var standardFlags: Int
        var leaps: Int
        var changes: Int
        var types: Int
        var letters: Int

        /// Bytes of the block that follows; each count is below 2^32, so nothing overflows.
        func blockBytes(timeBytes: Int) -> Int {
            changes * (timeBytes + 1) + types * 6 + letters + leaps * (timeBytes + 4) + standardFlags + utcFlags
        }
    }

    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func read(_ bytes: [UInt8]) throws(TimeZoneFault) -> TimeZoneRules {
        guard bytes.count <= maximumBytes else {
            throw TimeZoneFault("\(bytes.count) bytes, more than a zone file has")
        }
        let file = ZoneFile(bytes)
        let first = try file.header(at: 0)
        let firstBlock = headerBytes
        guard first.version != 0 else {
            return try file.rules(first, at: firstBlock, timeBytes: 4, rule: nil)
        }
        // The first block is for readers that know nothing else.
        let second = firstBlock + first.blockBytes(timeBytes: 4)
        let header = try file.header(at: second)
        let block = second + headerBytes
        let footer = try file.footer(at: block + header.blockBytes(timeBytes: 8))
        return try file.rules(header, at: block, timeBytes: 8, rule: footer)
    }

    private func header(at offset: Int) throws(TimeZoneFault) -> Header {
        guard bytes.count >= offset + Self.headerBytes, bytes[offset...].starts(with: "TZif".utf8) else {
            throw TimeZoneFault("no zone file's header at byte \(offset)")
        }
        let version = bytes[offset + 4]
        guard version == 0 || version >= UInt8(ascii: "2") else { throw TimeZoneFault("the version \(version)") }
        func count(_ index: Int) -> Int { Int(number(at: offset + 20 + index * 4, bytes: 4)) & 0xFFFF_FFFF }
        return Header(
            version: version, utcFlags: count(0), standardFlags: count(1), leaps: count(2), changes: count(3),
            types: count(4), letters: count(5))
    }

    private func rules(_ header: Header, at offset: Int, timeBytes: Int, rule: RecurringRule?)
        throws(TimeZoneFault) -> TimeZoneRules
    {
        guard bytes.count >= offset + header.blockBytes(timeBytes: timeBytes) else {
            throw TimeZoneFault("\(bytes.count) bytes, fewer than its header promises")
        }
        guard (1...256).contains(header.types) else { throw TimeZoneFault("\(header.types) kinds of local time") }
        guard header.leaps == 0 else {
            throw TimeZoneFault("a zone that counts leap seconds, which this machine's clock does not")
        }
        let indices = offset + header.changes * timeBytes
        let types = indices + header.changes
        var offsets: [Int64] = []
        for index in 0..<header.types {
            let seconds = number(at: types + index * 6, bytes: 4)
            guard TimeZoneRules.offsets.contains(seconds) else {
                throw TimeZoneFault("a local time of \(seconds) s from UTC")
            }
            offsets.append(seconds)
        }
        var changes: [TimeZoneRules.Change] = []
        changes.reserveCapacity(header.changes)
        for index in 0..<header.changes {
            let time = number(at: offset + index * timeBytes, bytes: timeBytes)
            let type = Int(bytes[indices + index])
            guard type < offsets.count else { throw TimeZoneFault("the kind \(type) of \(offsets.count) local times") }
            guard Self.times.contains(time), changes.last.map({ $0.at < time }) ?? true else {
                throw TimeZoneFault("changes that are not in the order of time")
            }
            changes.append(TimeZoneRules.Change(at: time, offset: offsets[type]))
        }
        return TimeZoneRules(first: offsets[0], changes: changes, rule: rule)
    }

    /// The line after the second block; nil when it is empty: later times are then unknown.
    private func footer(at offset: Int) throws(TimeZoneFault) -> RecurringRule? {
        let newline = UInt8(ascii: "\n")
        guard offset < bytes.count, bytes[offset] == newline,
            let end = bytes[(offset + 1)...].firstIndex(of: newline)
        else { throw TimeZoneFault("no line for later years at its end") }
        let text = Array(bytes[(offset + 1)..<end])
        return text.isEmpty ? nil : try PosixZoneParser.parse(text)
    }

    /// A big-endian number with its sign; the bytes are there.
    private func number(at offset: Int, bytes count: Int) -> Int64 {
        let value = bytes[offset..<offset + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
}

extension TimeZoneRules {
    /// Reads a zone file.
    ///
    /// - Throws: with the fault.
    package init(tzif bytes: [UInt8]) throws(TimeZoneFault) { self = try ZoneFile.read(bytes) }

    /// Bytes that a zone file has at most.
    package static let maximumBytes = ZoneFile.maximumBytes

    /// Reads a rule that the variable TZ may have instead of a name, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    package init(posix text: String) throws(TimeZoneFault) {
        self.init(first: 0, changes: [], rule: try PosixZoneParser.parse(Array(text.utf8)))
    }
}
