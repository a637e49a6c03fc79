import Conditions
import Testing

@Suite("What quotas refuse")
struct QuotaTests {
    /// One attribute of a message.
    private func attribute(_ type: UInt16, _ value: some FixedWidthInteger) -> [UInt8] {
        let bytes = withUnsafeBytes(of: value) { Array($0) }
        return words(UInt16(4 + bytes.count), type) + bytes
    }

    private func words(_ values: UInt16...) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
    }

    /// A message as the kernel's fs/quota/netlink.c writes it.
    private func message(
        type: UInt32 = 2, project: UInt64 = 2_000_000_017, warning: UInt32 = 4, major: UInt32 = 7, minor: UInt32 = 300
    ) -> [UInt8] {
        let body: [UInt8] =
            [1, 1, 0, 0] + attribute(1, type) + attribute(2, project) + attribute(3, warning) + attribute(4, major)
            + attribute(5, minor) + attribute(6, UInt64(0))
        let length = withUnsafeBytes(of: UInt32(16 + body.count)) { Array($0) }
        return length + words(27, 0) + [UInt8](repeating: 0, count: 8) + body
    }

    @Test func `Refused files and blocks of projects are reported, with their file system`() {
        // makedev(7, 300): the low byte of the minor number, the major one, the rest of the minor one.
        let refusal = QuotaWarning(number: 2_000_000_017, device: 44 | 7 << 8 | 256 << 12)
        for warning in [1, 4] as [UInt32] {
            #expect(QuotaWarning.refusedProjects(in: message(warning: warning).span.bytes) == [refusal])
        }
        #expect(QuotaWarning.refusedProjects(in: (message() + message()).span.bytes) == [refusal, refusal])
    }

    @Test func `Warnings, and what concerns users and groups, are passed over`() {
        for warning in [0, 2, 3, 5, 6, 7, 8, 9, 10] as [UInt32] {
            #expect(QuotaWarning.refusedProjects(in: message(warning: warning).span.bytes) == [])
        }
        for type in [0, 1, 3] as [UInt32] {
            #expect(QuotaWarning.refusedProjects(in: message(type: type).span.bytes) == [])
        }
    }

    @Test func `A message that is cut off says nothing`() {
        let whole = message()
        for count in 0..<whole.count {
            #expect(QuotaWarning.refusedProjects(in: Array(whole.prefix(count)).span.bytes) == [])
        }
    }
}
