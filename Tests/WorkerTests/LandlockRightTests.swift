import Confining
import Foundation
import Linux
import Testing

/// The rows of Landlock's rights, beside what the kernel's documents and the kernel say.
struct LandlockRightTests {
    /// linux/landlock.h at the kernel that brought the version: how many rights of files, of the network, of scopes.
    private static let known: [(version: Int32, files: Int, network: Int, scopes: Int)] = [
        (0, 0, 0, 0), (1, 13, 0, 0), (2, 14, 0, 0), (3, 15, 0, 0), (4, 15, 2, 0), (5, 16, 2, 0), (6, 16, 2, 2),
        (7, 16, 2, 2),
    ]
    /// The newest version whose rights all have rows.
    private static let newest: Int32 = 8

    @Test func `Each version has the rights that the kernel documents for it, without a gap`() {
        for row in Self.known {
            for (field, count) in [
                (LandlockRight.Field.files, row.files), (.network, row.network), (.scopes, row.scopes),
            ] {
                let mask = LandlockRight.mask(of: field, by: row.version)
                #expect(mask == 1 << UInt64(count) - 1, "\(field) of version \(row.version)")
            }
        }
        #expect(Set(LandlockRight.all.map { "\($0.field) \($0.mask)" }).count == LandlockRight.all.count)
        #expect(LandlockRight.network(by: 4, anyPort: true) == LandlockRight.bind.mask)
    }

    @Test(.enabled(if: Landlock.version > 0)) func `This kernel takes what its version has`() throws {
        let version = Landlock.version
        _ = try Landlock(
            files: LandlockRight.mask(of: .files, by: version), network: LandlockRight.mask(of: .network, by: version),
            scopes: LandlockRight.mask(of: .scopes, by: version))
    }

    /// A right that the rows lack would be granted to every worker.
    @Test(
        .enabled(if: (1...newest).contains(Landlock.version)),
        arguments: [LandlockRight.Field.files, .network, .scopes])
    func `This kernel has no right without a row`(field: LandlockRight.Field) throws {
        let version = Landlock.version
        let next = LandlockRight.mask(of: field, by: version) + 1
        let files = LandlockRight.mask(of: .files, by: version)
        let error = #expect(throws: SystemError.self) {
            _ = try Landlock(
                files: field == .files ? next : files, network: field == .network ? next : 0,
                scopes: field == .scopes ? next : 0)
        }
        // Versions without the field do not know its place in the structure.
        #expect(error?.code == .EINVAL || error?.code == .E2BIG)
    }

    @Test func `The guide has a line for each version that brought a right`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = try String(contentsOf: root.appendingPathComponent("Documentation/Confinement.md"), encoding: .utf8)
        for version in Set(LandlockRight.all.map(\.since)) {
            #expect(guide.contains("\n| \(version) | "), "version \(version)")
        }
    }
}
