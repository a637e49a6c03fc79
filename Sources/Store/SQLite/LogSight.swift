import Linux
import Record

/// What is in a write-ahead log behind its last whole frame (sqlite.org/fileformat2.html, "The Write-Ahead Log").
///
/// SQLite reads frames until one does not fit its checksum, and takes that for the end. A crash leaves such an end; so does a bit
/// that flipped in the middle, and then whole transactions behind it would be forgotten in silence. A transaction is written
/// after the one before it is durable: behind the end that a crash left there is at most the rest of one.
enum LogSight: Equatable {
    /// Nothing of this log: older frames at most.
    case end
    /// The rest of a transaction that was never durable. It is worthless, and misleads the next look once others overwrite it.
    case rest
    /// Frames of other transactions, or of this one to its end, behind one that is not whole.
    case damaged(frame: Int)

    private static let headerSize = 32
    private static let frameHeader = 24
    /// Frames that are read at once.
    private static let portion = 64

    /// Looks at the log beside a database before SQLite makes anything of it.
    static func look(beside path: String) throws(StoreError) -> LogSight {
        do throws(SystemError) {
            let file = try Descriptor.open(path + "-wal", [.O_RDONLY, .O_NOFOLLOW, .O_NONBLOCK])
            let header = try read(file, headerSize, at: 0)
            guard header.count == headerSize, header.contains(where: { $0 != 0 }) else { return .end }
            return try look(file, header)
        } catch {
            if error.code == .ENOENT { return .end }
            throw StoreError(.cannotOpen, what: Database.opening, path: path + "-wal", error.code)
        }
    }

    /// The same of a log that may be used.
    ///
    /// - Throws: `damagedLog`.
    @discardableResult
    static func refuseDamage(beside path: String) throws(StoreError) -> LogSight {
        let sight = try look(beside: path)
        guard case .damaged(let frame) = sight else { return sight }
        throw StoreError(.damagedLog(frame: frame), what: Database.opening, path: path)
    }

    private static func look(_ file: borrowing Descriptor, _ header: [UInt8]) throws(SystemError) -> LogSight {
        let size = Int(word(header, 8))
        let isSound = size.nonzeroBitCount == 1 && (512...65536).contains(size)
        var scan = Scan(header)
        scan.takeHeader(header)
        let length = frameHeader + (isSound ? size : 4096)
        var offset = headerSize
        while true {
            let part = try read(file, length * portion, at: Int64(offset))
            for start in stride(from: 0, through: part.count - length, by: length) {
                scan.take(part[start..<start + length])
            }
            offset += length * portion
            if part.count < length * portion { return scan.sight }
        }
    }

    private static func read(_ file: borrowing Descriptor, _ most: Int, at offset: Int64) throws(SystemError) -> [UInt8]
    {
        try Descriptor.read(from: file.number, most, at: offset)
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 { Scan.word(bytes[...], offset) }

    /// Frames, one after another.
    private struct Scan {
        private let isBigEndian: Bool
        private let salts: UInt64
        private var sums: (UInt32, UInt32) = (0, 0)
        private var count = 0
        /// The first frame that is not whole, from 1 on; 0: the header.
        private var bad: Int?
        /// It is one of this log: its salts are, but for a bit.
        private var isBadOurs = false
        private var hasRest = false
        private var hasCommit = false
        private var hasCommitBehind = false
        private var hasMore = false

        init(_ header: [UInt8]) {
            isBigEndian = Self.word(header[...], 0) & 1 != 0
            salts = UInt64(Self.word(header[...], 16)) << 32 | UInt64(Self.word(header[...], 20))
        }

        mutating func takeHeader(_ header: [UInt8]) {
            add(header[0..<24])
            guard
                sums.0 != Self.word(header[...], 24) || sums.1 != Self.word(header[...], 28)
                    || Self.word(header[...], 0) & ~1 != 0x377f_0682
            else { return }
            (bad, isBadOurs) = (0, true)
        }

        mutating func take(_ frame: ArraySlice<UInt8>) {
            count += 1
            let own = UInt64(Self.word(frame, 8)) << 32 | UInt64(Self.word(frame, 12))
            let isCommit = Self.word(frame, 4) != 0
            if bad == nil {
                guard own != salts || Self.word(frame, 0) == 0 || !isWhole(frame) else { return }
                bad = count
                isBadOurs = (own ^ salts).nonzeroBitCount <= 1
            }
            // A flipped bit of the header's salts is no other log.
            guard own == salts || bad == 0 && (own ^ salts).nonzeroBitCount <= 1 else { return }
            hasRest = true
            if hasCommit { hasMore = true }
            if isCommit { hasCommit = true }
            if isCommit, bad != count { hasCommitBehind = true }
        }

        private mutating func isWhole(_ frame: ArraySlice<UInt8>) -> Bool {
            add(frame[frame.startIndex..<frame.startIndex + 8])
            add(frame[(frame.startIndex + frameHeader)...])
            return sums.0 == Self.word(frame, 16) && sums.1 == Self.word(frame, 20)
        }

        var sight: LogSight {
            guard let bad else { return .end }
            if hasMore || isBadOurs && hasCommitBehind { return .damaged(frame: bad) }
            return hasRest ? .rest : .end
        }

        /// SQLite's checksum goes on with these bytes, a multiple of eight.
        private mutating func add(_ bytes: ArraySlice<UInt8>) {
            var (first, second) = sums
            unsafe bytes.withUnsafeBytes { raw in
                for offset in stride(from: 0, to: raw.count, by: 8) {
                    let (one, two) = unsafe (
                        raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                        raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                    )
                    first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
                    second &+= (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
                }
            }
            sums = (first, second)
        }

        static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
            bytes[(bytes.startIndex + offset)...].prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
