import CLinux
import Glibc

/// An address as a system call passes it (sockaddr(3type)).
package enum ArgumentAddress: Sendable, Equatable {
    /// The address in its usual text, without brackets.
    case internet(String, port: UInt16)
    /// A path in the file system.
    case path(String)
    /// A Unix socket without a path: `name` may be empty.
    case unnamed(name: String)
    /// Of another family.
    case other(family: UInt16)

    /// - Parameter bytes: as many as the call names; nil when they are no address.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        let family = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        switch UInt32(family) {
        case SocketNumber.AF_INET, SocketNumber.AF_INET6:
            let isOld = UInt32(family) == SocketNumber.AF_INET
            let place = isOld ? 4..<8 : 8..<24
            guard bytes.count >= place.upperBound else { return nil }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let raw = Array(bytes[place])
            guard
                unsafe raw.withUnsafeBytes({
                    unsafe inet_ntop(Int32(family), $0.baseAddress, &text, socklen_t(INET6_ADDRSTRLEN)) != nil
                })
            else { return nil }
            let end = text.firstIndex(of: 0) ?? text.endIndex
            self = .internet(
                String(decoding: text[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self),
                port: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
        case SocketNumber.AF_UNIX:
            let name = bytes.dropFirst(2)
            guard let first = name.first else {
                self = .unnamed(name: "")
                return
            }
            let text = String(decoding: first == 0 ? name.dropFirst() : name.prefix { $0 != 0 }, as: UTF8.self)
            self = first == 0 ? .unnamed(name: text) : .path(text)
        default: self = .other(family: family)
        }
    }

    /// Bytes of one at most (struct sockaddr_storage).
    package static let mostBytes = 128
}
