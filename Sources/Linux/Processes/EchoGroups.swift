/// Whose processes may send ICMP echo requests without a right beyond an ordinary user's (icmp(7)).
package enum EchoGroups {
    /// The groups of `net.ipv4.ping_group_range`; nil: there is none, as the kernel has it until somebody sets it.
    package static var range: ClosedRange<UInt32>? {
        let text = (try? FileText.read("/proc/sys/net/ipv4/ping_group_range")) ?? ""
        let ends = text.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        return ends[0]...ends[1]
    }

    /// What an administrator does for it.
    package static let remedy = "set net.ipv4.ping_group_range to \"0 2147483647\", in a file of /etc/sysctl.d"
}
