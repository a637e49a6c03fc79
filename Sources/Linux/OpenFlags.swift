import Glibc

/// How a file is opened, by the kernel's names (open(2)). O_CLOEXEC is always set.
package struct OpenFlags: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// No flag at all: reading is what `open` does without the others.
    package static let O_RDONLY = OpenFlags([])
    package static let O_WRONLY = OpenFlags(rawValue: Glibc.O_WRONLY)
    package static let O_RDWR = OpenFlags(rawValue: Glibc.O_RDWR)
    package static let O_APPEND = OpenFlags(rawValue: Glibc.O_APPEND)
    package static let O_CREAT = OpenFlags(rawValue: Glibc.O_CREAT)
    package static let O_DIRECTORY = OpenFlags(rawValue: Glibc.O_DIRECTORY)
    package static let O_EXCL = OpenFlags(rawValue: Glibc.O_EXCL)
    package static let O_NOCTTY = OpenFlags(rawValue: Glibc.O_NOCTTY)
    package static let O_NOFOLLOW = OpenFlags(rawValue: Glibc.O_NOFOLLOW)
    package static let O_NONBLOCK = OpenFlags(rawValue: Glibc.O_NONBLOCK)
    package static let O_TRUNC = OpenFlags(rawValue: Glibc.O_TRUNC)
    /// A place, neither for reading nor for writing. Glibc's module lacks it; the value is that of every architecture Swift
    /// runs on.
    package static let O_PATH = OpenFlags(rawValue: 0o10_000_000)
}
