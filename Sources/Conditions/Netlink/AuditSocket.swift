package import Linux

/// The kernel's audit records, as their readers get them (linux/audit.h, AUDIT_NLGRP_READLOG): where auditing is on, and for a process
/// with CAP_AUDIT_READ. It never switches auditing on. *Thread*: one.
package final class AuditSocket {
    private static let get: UInt16 = 1000  // AUDIT_GET
    private static let request: UInt16 = 1  // NLM_F_REQUEST
    /// Of a record, and its header (AUDIT_MESSAGE_TEXT_MAX of linux/audit.h).
    private static let capacity = 8560 + NetlinkMessages.headerSize

    /// Milliseconds for an answer of the kernel's.
    private static let patience: Int32 = 1000

    private let socket: NetlinkSocket

    package var descriptor: Int32 { socket.descriptor.number }

    /// - Parameter first, second: the numbers of the records that are read; others wake nobody.
    /// - Throws: EPERM without that capability.
    package init(_ first: UInt16, _ second: UInt16) throws(SystemError) {
        socket = try NetlinkSocket(.audit, groups: 1, capacity: Self.capacity)
        try socket.takeOnly(first, second)
    }

    /// Reads records, at most 64.
    ///
    /// - Parameter body: gets each record's number and its text.
    /// - Returns: nothing more is waiting.
    package func read(_ body: (UInt16, String) -> Void) -> Bool {
        socket.readAll(lost: {}) { bytes in
            NetlinkMessages.forEach(in: bytes) { header in
                let text = header.body.map { bytes.u8(at: $0) }.prefix { $0 != 0 }
                body(header.type, String(decoding: text, as: UTF8.self))
            }
        }
    }

    /// Whether the kernel audits; nil: it does not say, as to a process without CAP_AUDIT_CONTROL.
    package static var isOn: Bool? {
        guard let socket = try? NetlinkSocket(.audit, groups: 0, capacity: capacity),
            (try? socket.send(NetlinkMessages.message(get, flags: request, sequence: 1, []))) != nil
        else { return nil }
        var isOn: Bool?
        // A thread of the kernel answers.
        guard socket.descriptor.isReady(.readable, within: patience) else { return nil }
        socket.readAll(lost: {}) { bytes in
            NetlinkMessages.forEach(in: bytes) { header in
                // struct audit_status: mask, enabled
                guard header.type == get, header.body.count >= 8 else { return }
                isOn = bytes.u32(at: header.body.lowerBound + 4) != 0
            }
        }
        return isOn
    }
}
