import CLinux
import Glibc

/// Standard error as a log that never makes its writer wait, whoever reads it. Other programs may share it: its own flags stay
/// as they are.
package struct StandardErrorLog: ~Copyable {
    private enum Way: ~Copyable {
        /// A file takes everything at once.
        case file
        case socket
        /// A pipe or terminal, opened again for this log alone so that writing does not wait.
        case apart(Descriptor)
        /// One that cannot be opened again: it is asked first, and takes `StandardStream.atOnce` bytes then.
        case asked
    }

    private let way: Way
    private static let number = StandardStream.error.rawValue

    /// Make it while the process is dumpable: /proc shows its descriptors only then.
    package init() {
        guard let facts = FileSystem.facts(lent: Self.number) else {
            way = .asked
            return
        }
        if facts.isFile {
            way = .file
        } else if facts.isSocket {
            way = .socket
        } else if let own = try? Descriptor.open(
            "/proc/self/fd/\(Self.number)", [.O_WRONLY, .O_NONBLOCK, .O_NOCTTY])
        {
            way = .apart(own)
        } else {
            way = .asked
        }
    }

    /// Writes as much as it takes at once; returns how much.
    package borrowing func write(_ bytes: ArraySlice<UInt8>) -> Int {
        switch way {
        case .file: Self.write(bytes, to: Self.number)
        case .apart(let own): Self.write(bytes, to: own.number)
        case .socket:
            (try? Descriptor.count("send", isOurs: false) {
                unsafe bytes.withUnsafeBytes {
                    unsafe Glibc.send(
                        Self.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
            }) ?? 0
        case .asked:
            StandardStream.error.hasRoom ? Self.write(bytes.prefix(StandardStream.atOnce), to: Self.number) : 0
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to number: Int32) -> Int {
        let count = try? Descriptor.count("write", isOurs: false) {
            unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
        }
        return count ?? 0
    }
}
