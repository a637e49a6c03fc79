/// Which default routes there are, of the main table.
package struct DefaultRoutes: Hashable, Sendable {
    package var ipv4 = false
    package var ipv6 = false
    package init() {}
    package var isEmpty: Bool { !ipv4 && !ipv6 }

    /// Adds an RTM_NEWROUTE message of a dump: the bytes after its netlink header.
    package mutating func add(_ bytes: RawSpan, _ range: Range<Int>) {
        // struct rtmsg: family, dst_len, src_len, tos, table, protocol, scope, type, flags.
        guard range.count >= 12 else { return }
        let start = range.lowerBound
        let family = bytes.u8(at: start)
        let flags = bytes.u32(at: start + 8)
        guard bytes.u8(at: start + 1) == 0, bytes.u8(at: start + 7) == Self.unicast, Self.isUsable(flags) else {
            return
        }
        var table = UInt32(bytes.u8(at: start + 4))
        var nextHops: Range<Int>?
        NetlinkMessages.forEachAttribute(in: bytes, start + 12..<range.upperBound) { type, value in
            switch type {
            case Self.tableAttribute where value.count >= 4: table = bytes.u32(at: value.lowerBound)
            case Self.multipathAttribute: nextHops = value
            default: break
            }
        }
        guard table == Self.mainTable else { return }
        if let nextHops, !Self.hasUsableHop(bytes, nextHops) { return }
        if family == Self.inet { ipv4 = true } else if family == Self.inet6 { ipv6 = true }
    }

    /// struct rtnexthop: length, flags, hops, interface; attributes follow.
    private static func hasUsableHop(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        var start = range.lowerBound
        while range.upperBound - start >= 8 {
            let length = Int(bytes.u16(at: start))
            guard length >= 8, length <= range.upperBound - start else { return false }
            if isUsable(UInt32(bytes.u8(at: start + 2))) { return true }
            start += (length + 3) & ~3
        }
        return false
    }

    /// A route stays when its cable is pulled, marked so.
    private static func isUsable(_ flags: UInt32) -> Bool { flags & (dead | linkDown) == 0 }

    // linux/rtnetlink.h
    private static let dead: UInt32 = 1
    private static let linkDown: UInt32 = 16
    private static let unicast: UInt8 = 1
    private static let mainTable: UInt32 = 254
    private static let tableAttribute: UInt16 = 15
    private static let multipathAttribute: UInt16 = 9
    // bits/socket.h
    private static let inet: UInt8 = 2
    private static let inet6: UInt8 = 10
}
