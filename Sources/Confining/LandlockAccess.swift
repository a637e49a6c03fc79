/// A set of Landlock's rights of files.
package struct LandlockAccess: OptionSet, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(_ rights: LandlockRight...) { rawValue = rights.reduce(0) { $0 | $1.mask } }

    package static let execute = LandlockAccess(.execute)
    package static let readFile = LandlockAccess(.readFile)
    package static let readFolder = LandlockAccess(.readFolder)
    package static let writeFile = LandlockAccess(.writeFile)

    /// Reading a folder and everything below it.
    package static let read = LandlockAccess(.readFile, .readFolder)
    /// Everything that a worker may do in its own folder. No sockets and devices, and no execution.
    package static let write = LandlockAccess(
        .readFile, .readFolder, .writeFile, .truncate, .removeFile, .removeFolder, .makeFolder, .makeFile, .makeLink,
        .makePipe,
        .refer)
    /// The rights that the kernel accepts for anything but folders.
    package static let ofFiles = LandlockAccess(.execute, .writeFile, .readFile, .truncate, .deviceControl)

    /// All that a version has: they are handled, and so refused unless granted.
    package static func handled(by version: Int32) -> LandlockAccess {
        LandlockAccess(rawValue: LandlockRight.mask(of: .files, by: version))
    }
}
