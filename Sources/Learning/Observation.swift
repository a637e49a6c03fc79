/// Something that a watched program did, which confinement would have decided about.
package struct Observation: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A file was opened for reading.
        case read
        /// The names in a folder were read.
        case list
        /// A file that was there was opened for writing, or cut.
        case write
        /// Something was created in the folder; `detail` is its name.
        case create
        /// Something of the folder was removed, or got another name; `detail` is its name.
        case remove
        case execute
        /// The same of a program that every confined one may execute.
        case started
        /// A TCP connection to `ADDRESS:PORT`; `detail` is the name that its program asked for last.
        case tcp
        /// A datagram to `ADDRESS:PORT`.
        case udp
        /// A Unix socket was connected to, or written to.
        case socket
        /// The program made a socket of ICMP.
        case echo
        /// A port or a socket's path was taken (bind(2)).
        case listen
        /// Modes, owners or times of a file were changed.
        case attributes
        /// A system call that confined programs are refused.
        case call
        /// A set-user-ID program, which has no more rights than others while it is watched; with a `detail` a file with capabilities that
        /// the watcher's processes cannot have, which the kernel does not execute.
        case powerless
        /// A program whose memory its watcher may not read (PR_SET_DUMPABLE): what it did was not seen.
        case hidden
        /// A name that is not UTF-8 was used: no manifest could have it.
        case unnamed
        /// More was seen than is kept.
        case truncated
        /// The program has ended, and all was seen until then.
        case ended
    }

    /// The place of a `call` for a socket of UDP.
    package static let udpSocket = "socket (UDP)"
    /// The detail of a `powerless` one with the capability NET_RAW alone.
    package static let rawSockets = "NET_RAW"

    package var kind: Kind
    /// An absolute path without links, an address with a port, or the name of a call.
    package var place: String
    /// The name of the program that did it, as the kernel has it (16 bytes at most).
    package var program: String
    /// What else helps a person to understand it; may be empty.
    package var detail: String

    package init(_ kind: Kind, _ place: String, by program: String = "", detail: String = "") {
        self.kind = kind
        self.place = place
        self.program = program
        self.detail = detail
    }

    /// What was done to what; whoever did it first is named.
    package struct Key: Hashable, Sendable {
        package var kind: Kind
        package var place: String

        package init(_ kind: Kind, _ place: String) {
            self.kind = kind
            self.place = place
        }
    }

    // MARK: As a line

    /// Four fields with tabs between them, and a line feed; tabs, line feeds and backslashes in them are escaped.
    package var line: String {
        [kind.rawValue, place, program, detail].map(Self.escaped).joined(separator: "\t") + "\n"
    }

    /// Reads the lines of a report, so many at most. A report is the watched program's to write as well: what could be no observation
    /// is left out.
    package static func read(_ report: [UInt8], most: Int = 20_100) -> [Observation] {
        report.split(separator: 0x0A).prefix(most).compactMap { line in
            Observation(line: Substring(String(decoding: line, as: UTF8.self)))
        }.filter(\.isPossible)
    }

    /// Whether its place is one that the watcher could have written: a path without detours, or an address.
    private var isPossible: Bool {
        switch kind {
        case .read, .list, .write, .create, .remove, .execute, .started, .powerless: Self.isPlain(place)
        case .socket: place.hasPrefix("@") || Self.isPlain(place)
        case .tcp, .udp: Self.isAddress(place) && detail.utf8.allSatisfy(Self.isOfName)
        case .echo, .listen, .attributes, .call, .hidden, .unnamed, .truncated, .ended: place.utf8.count < 4096
        }
    }

    private static func isPlain(_ path: String) -> Bool {
        guard path.utf8.first == 0x2F, path.utf8.count < 4096, !path.utf8.contains(0), !path.utf8.contains(0x24) else {
            return false
        }
        if path == "/" { return true }
        return path.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && !part.elementsEqual([0x2E]) && !part.elementsEqual([0x2E, 0x2E])
        }
    }

    /// `ADDRESS:PORT` in digits.
    private static func isAddress(_ place: String) -> Bool {
        let bytes = Array(place.utf8)
        guard let colon = bytes.lastIndex(of: 0x3A),
            UInt16(String(decoding: bytes[(colon + 1)...], as: UTF8.self)) != nil
        else {
            return false
        }
        return !bytes[..<colon].isEmpty
            && bytes[..<colon].allSatisfy { byte in
                (0x30...0x3A).contains(byte) || (0x61...0x66).contains(byte) || byte == 0x2E || byte == 0x5B
                    || byte == 0x5D
            }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
            || byte == 0x5F
    }

    /// - Parameter line: without its line feed. nil: it is none of `line`.
    package init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(Self.plain)
        guard fields.count == 4, let kind = Kind(rawValue: fields[0]) else { return nil }
        self.init(kind, fields[1], by: fields[2], detail: fields[3])
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x5C }) else { return text }
        return text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
    }

    private static func plain(_ field: Substring) -> String {
        guard field.contains("\\") else { return String(field) }
        var text = ""
        var isEscaped = false
        for character in field {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (true, "t"): (text, isEscaped) = (text + "\t", false)
            case (true, "n"): (text, isEscaped) = (text + "\n", false)
            default: (text, isEscaped) = (text + String(character), false)
            }
        }
        return text
    }
}
