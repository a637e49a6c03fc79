/// Rights of Landlock's interface (`linux/landlock.h`), and the rights that each version supports.
package struct LandlockAccess: OptionSet, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let execute = LandlockAccess(rawValue: 1 << 0)
    package static let writeFile = LandlockAccess(rawValue: 1 << 1)
    package static let readFile = LandlockAccess(rawValue: 1 << 2)
    package static let readFolder = LandlockAccess(rawValue: 1 << 3)
    package static let removeFolder = LandlockAccess(rawValue: 1 << 4)
    package static let removeFile = LandlockAccess(rawValue: 1 << 5)
    package static let makeDevice = LandlockAccess(rawValue: 1 << 6 | 1 << 11)
    package static let makeFolder = LandlockAccess(rawValue: 1 << 7)
    package static let makeFile = LandlockAccess(rawValue: 1 << 8)
    package static let makeSocket = LandlockAccess(rawValue: 1 << 9)
    package static let makePipe = LandlockAccess(rawValue: 1 << 10)
    package static let makeLink = LandlockAccess(rawValue: 1 << 12)
    /// Renaming and linking between folders; since version 2, before that always refused.
    package static let refer = LandlockAccess(rawValue: 1 << 13)
    /// Since version 3.
    package static let truncate = LandlockAccess(rawValue: 1 << 14)
    /// Since version 5.
    package static let deviceControl = LandlockAccess(rawValue: 1 << 15)

    /// Reading a folder and everything below it.
    package static let read: LandlockAccess = [.readFile, .readFolder]
    /// Everything that a worker may do in its own folder. No sockets and devices, and no execution.
    package static let write: LandlockAccess = [
        .readFile, .readFolder, .writeFile, .truncate, .removeFile, .removeFolder, .makeFolder, .makeFile, .makeLink,
        .makePipe, .refer,
    ]
    /// The rights that the kernel accepts for anything but folders.
    package static let ofFiles: LandlockAccess = [.execute, .writeFile, .readFile, .truncate, .deviceControl]

    /// All file rights of a version: they are handled, and so refused unless granted.
    package static func handled(by abi: Int32) -> LandlockAccess {
        let known: UInt64 =
            switch abi {
            case ...0: 0
            case 1: 13
            case 2: 14
            case 3, 4: 15
            default: 16
            }
        return LandlockAccess(rawValue: 1 << known - 1)
    }

    /// LANDLOCK_ACCESS_NET_BIND_TCP, which is never granted, and LANDLOCK_ACCESS_NET_CONNECT_TCP; since version 4.
    package static let bind: UInt64 = 1 << 0
    package static let connect: UInt64 = 1 << 1
    /// Rights that are refused unless a rule grants them. There is no rule for every port: then connections are not handled
    /// at all.
    package static func network(anyPort: Bool) -> UInt64 { anyPort ? bind : bind | connect }
    /// LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET and _SIGNAL; since version 6.
    package static let scopes: UInt64 = 0b11
}
