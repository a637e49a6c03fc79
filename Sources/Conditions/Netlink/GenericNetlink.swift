/// The little of generic netlink that finds a family's multicast group (linux/genetlink.h).
package enum GenericNetlink {
    private static let controller: UInt16 = 0x10  // GENL_ID_CTRL
    private static let getFamily: UInt8 = 3  // CTRL_CMD_GETFAMILY
    private static let familyName: UInt16 = 2  // CTRL_ATTR_FAMILY_NAME
    private static let groups: UInt16 = 7  // CTRL_ATTR_MCAST_GROUPS
    private static let groupName: UInt16 = 1  // CTRL_ATTR_MCAST_GRP_NAME
    private static let groupNumber: UInt16 = 2  // CTRL_ATTR_MCAST_GRP_ID

    /// Asks the controller for the family `name`.
    package static func familyRequest(_ name: String) -> [UInt8] {
        let value = Array(name.utf8) + [0]
        var body = [getFamily, 1, 0, 0]
        NetlinkMessages.append(UInt16(4 + value.count), to: &body)
        NetlinkMessages.append(familyName, to: &body)
        body += value
        while body.count % 4 != 0 { body.append(0) }
        return NetlinkMessages.message(controller, flags: 1, sequence: 1, body)  // NLM_F_REQUEST
    }

    /// The number of the group `name` in the controller's answer.
    package static func group(_ name: String, in bytes: RawSpan) -> UInt32? {
        var number: UInt32?
        NetlinkMessages.forEach(in: bytes) { header in
            guard header.type == controller, header.body.count >= 4 else { return }
            NetlinkMessages.forEachAttribute(in: bytes, header.body.lowerBound + 4..<header.body.upperBound) {
                type, value in
                guard type == groups else { return }
                NetlinkMessages.forEachAttribute(in: bytes, value) { _, group in
                    number = number ?? groupNumber(named: name, in: bytes, group)
                }
            }
        }
        return number
    }

    private static func groupNumber(named name: String, in bytes: RawSpan, _ group: Range<Int>) -> UInt32? {
        var isNamed = false
        var number: UInt32?
        NetlinkMessages.forEachAttribute(in: bytes, group) { type, value in
            switch type {
            case groupName:
                let wanted = Array(name.utf8) + [0]
                isNamed =
                    value.count == wanted.count
                    && wanted.indices.allSatisfy { bytes.u8(at: value.lowerBound + $0) == wanted[$0] }
            case groupNumber where value.count >= 4: number = bytes.u32(at: value.lowerBound)
            default: break
            }
        }
        return isNamed ? number : nil
    }
}
