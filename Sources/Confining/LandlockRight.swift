/// A right of Landlock's interface (linux/landlock.h), and the version that brought it. A new right is a row of `all`; what the
/// kernel knows of these is refused unless a rule grants it.
package struct LandlockRight: Sendable, Equatable {
    /// What the kernel's structure of a ruleset names it in.
    package enum Field: Sendable { case files, network, scopes }

    package let field: Field
    package let mask: UInt64
    /// The first version of the interface (LANDLOCK_CREATE_RULESET_VERSION) that has it.
    package let since: Int32

    private init(_ field: Field, bit: UInt64, since: Int32) {
        self.field = field
        mask = 1 << bit
        self.since = since
    }

    package static let execute = LandlockRight(.files, bit: 0, since: 1)
    package static let writeFile = LandlockRight(.files, bit: 1, since: 1)
    package static let readFile = LandlockRight(.files, bit: 2, since: 1)
    package static let readFolder = LandlockRight(.files, bit: 3, since: 1)
    package static let removeFolder = LandlockRight(.files, bit: 4, since: 1)
    package static let removeFile = LandlockRight(.files, bit: 5, since: 1)
    package static let makeCharacterDevice = LandlockRight(.files, bit: 6, since: 1)
    package static let makeFolder = LandlockRight(.files, bit: 7, since: 1)
    package static let makeFile = LandlockRight(.files, bit: 8, since: 1)
    package static let makeSocket = LandlockRight(.files, bit: 9, since: 1)
    package static let makePipe = LandlockRight(.files, bit: 10, since: 1)
    package static let makeBlockDevice = LandlockRight(.files, bit: 11, since: 1)
    package static let makeLink = LandlockRight(.files, bit: 12, since: 1)
    /// Renaming and linking between folders; before version 2 always refused.
    package static let refer = LandlockRight(.files, bit: 13, since: 2)
    package static let truncate = LandlockRight(.files, bit: 14, since: 3)
    package static let deviceControl = LandlockRight(.files, bit: 15, since: 5)
    /// By TCP; never granted.
    package static let bind = LandlockRight(.network, bit: 0, since: 4)
    /// By TCP. There is no rule for every port: then it is not handled at all.
    package static let connect = LandlockRight(.network, bit: 1, since: 4)
    package static let abstractSocket = LandlockRight(.scopes, bit: 0, since: 6)
    package static let signal = LandlockRight(.scopes, bit: 1, since: 6)

    package static let all = [
        execute, writeFile, readFile, readFolder, removeFolder, removeFile, makeCharacterDevice, makeFolder, makeFile,
        makeSocket,
        makePipe, makeBlockDevice, makeLink, refer, truncate, deviceControl, bind, connect, abstractSocket, signal,
    ]

    /// That version has it.
    package func isKnown(to version: Int32) -> Bool { version >= since }

    /// All of a field that a version has.
    package static func mask(of field: Field, by version: Int32) -> UInt64 {
        all.reduce(0) { $1.field == field && $1.isKnown(to: version) ? $0 | $1.mask : $0 }
    }

    /// The rights of connections that a version refuses unless a rule grants them.
    package static func network(by version: Int32, anyPort: Bool) -> UInt64 {
        mask(of: .network, by: version) & (anyPort ? ~connect.mask : .max)
    }
}
