import Linux
import Record

/// What is in a write-ahead log behind its last whole frame (sqlite.org/fileformat2.html, "The Write-Ahead Log").
///
/// SQLite reads frames until one does not fit its checksum, and takes that for the end. A crash leaves such an end; so does a bit
/// that flipped in the middle, and then whole transactions behind it would be forgotten in silence. A transaction is written
/// after the one before it is durable: behind the end that a crash left there is at most the rest of one. The last frame of a log
/// has nothing behind it: it is a whole one whose bit flipped, not the start of one, if turning back a single bit makes it fit.
enum LogSight: Equatable {
    /// Nothing of this log: older frames at most.
    case end
    /// The rest of a transaction that was never durable. It is worthless, and misleads the next look once others overwrite it.
    case rest
    /// Frames of other transactions, or of this one to its end, behind one that is not whole; or the end of a transaction in which
    /// a bit flipped.
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
        private var sums = LogChecksum()
        private var count = 0
        /// The first frame that is not whole, from 1 on; 0: the header.
        private var bad: Int?
        /// It is one of this log: its salts are, but for a bit.
        private var isBadOurs = false
        /// It ends a transaction, and is whole but for a bit.
        private var isBadFlipped = false
        private var hasRest = false
        private var hasCommit = false
        private var hasCommitBehind = false
        private var hasMore = false

        init(_ header: [UInt8]) {
            isBigEndian = Self.word(header[...], 0) & 1 != 0
            salts = UInt64(Self.word(header[...], 16)) << 32 | UInt64(Self.word(header[...], 20))
        }

        mutating func takeHeader(_ header: [UInt8]) {
            sums.add(header[..<24], isBigEndian: isBigEndian)
            guard sums != Self.sums(header[...], at: 24) || Self.word(header[...], 0) & ~1 != 0x377f_0682 else {
                return
            }
            (bad, isBadOurs) = (0, true)
        }

        mutating func take(_ frame: ArraySlice<UInt8>) {
            count += 1
            let own = UInt64(Self.word(frame, 8)) << 32 | UInt64(Self.word(frame, 12))
            let flippedSalts = (own ^ salts).nonzeroBitCount
            let isCommit = Self.word(frame, 4) != 0
            if bad == nil {
                var whole = sums
                whole.add(frame.prefix(8), isBigEndian: isBigEndian)
                whole.add(frame.dropFirst(frameHeader), isBigEndian: isBigEndian)
                let right = Self.sums(frame, at: 16)
                if flippedSalts == 0, Self.word(frame, 0) != 0, whole == right {
                    sums = whole
                    return
                }
                bad = count
                isBadOurs = flippedSalts <= 1
                isBadFlipped = isBadOurs && isFlippedCommit(frame, flippedSalts, whole, right)
            }
            // A flipped bit of the header's salts is no other log.
            guard flippedSalts == 0 || bad == 0 && flippedSalts == 1 else { return }
            hasRest = true
            if hasCommit { hasMore = true }
            if isCommit { hasCommit = true }
            if isCommit, bad != count { hasCommitBehind = true }
        }

        /// One bit is another: of the salts, of the sums it carries, or of the words that these sum.
        private func isFlippedCommit(
            _ frame: ArraySlice<UInt8>, _ flippedSalts: Int, _ whole: LogChecksum, _ right: LogChecksum
        ) -> Bool {
            let isCommit = Self.word(frame, 4) != 0
            if flippedSalts + whole.distance(to: right) == 1 { return isCommit }
            let words = [frame.prefix(8), frame.dropFirst(frameHeader)].flatMap {
                LogChecksum.words($0, isBigEndian: isBigEndian)
            }
            guard flippedSalts == 0, let flip = LogChecksum.flippedBit(of: words, ending: whole, for: right) else {
                return false
            }
            return flip.word == 1 ? words[1] ^ 1 << UInt32(flip.bit) != 0 : isCommit
        }

        var sight: LogSight {
            guard let bad else { return .end }
            if hasMore || isBadFlipped || isBadOurs && hasCommitBehind { return .damaged(frame: bad) }
            return hasRest ? .rest : .end
        }

        private static func sums(_ bytes: ArraySlice<UInt8>, at offset: Int) -> LogChecksum {
            LogChecksum(first: word(bytes, offset), second: word(bytes, offset + 4))
        }

        static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
            bytes[(bytes.startIndex + offset)...].prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
