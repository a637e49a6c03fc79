import Glibc

/// Why a system call failed, by the kernel's names (errno(3)). Any number may come: new kernels have new ones.
package struct Errno: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    /// The errno of the calling thread's last call: for libraries that report errors only in this way.
    package static var last: Errno {
        get { Errno(errno) }
        set { errno = newValue.rawValue }
    }

    package init(rawValue: Int32) { self.rawValue = rawValue }
    package init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// No error at all.
    package static let success = Errno(0)
    package static let E2BIG = Errno(Glibc.E2BIG)
    package static let EACCES = Errno(Glibc.EACCES)
    package static let EADDRINUSE = Errno(Glibc.EADDRINUSE)
    package static let EADDRNOTAVAIL = Errno(Glibc.EADDRNOTAVAIL)
    package static let EAGAIN = Errno(Glibc.EAGAIN)
    package static let EBADF = Errno(Glibc.EBADF)
    package static let EBUSY = Errno(Glibc.EBUSY)
    package static let ECONNREFUSED = Errno(Glibc.ECONNREFUSED)
    package static let ECONNRESET = Errno(Glibc.ECONNRESET)
    package static let EDQUOT = Errno(Glibc.EDQUOT)
    package static let EEXIST = Errno(Glibc.EEXIST)
    package static let EFBIG = Errno(Glibc.EFBIG)
    package static let EHOSTUNREACH = Errno(Glibc.EHOSTUNREACH)
    package static let EINTR = Errno(Glibc.EINTR)
    package static let EINVAL = Errno(Glibc.EINVAL)
    package static let EIO = Errno(Glibc.EIO)
    package static let EISDIR = Errno(Glibc.EISDIR)
    package static let ELIBACC = Errno(Glibc.ELIBACC)
    package static let ELOOP = Errno(Glibc.ELOOP)
    package static let EMFILE = Errno(Glibc.EMFILE)
    package static let EMSGSIZE = Errno(Glibc.EMSGSIZE)
    package static let ENETDOWN = Errno(Glibc.ENETDOWN)
    package static let ENETUNREACH = Errno(Glibc.ENETUNREACH)
    package static let ENFILE = Errno(Glibc.ENFILE)
    package static let ENOBUFS = Errno(Glibc.ENOBUFS)
    package static let ENODEV = Errno(Glibc.ENODEV)
    package static let ENOENT = Errno(Glibc.ENOENT)
    package static let ENOMEM = Errno(Glibc.ENOMEM)
    package static let ENOPROTOOPT = Errno(Glibc.ENOPROTOOPT)
    package static let ENOSPC = Errno(Glibc.ENOSPC)
    package static let ENOSYS = Errno(Glibc.ENOSYS)
    package static let ENOTCONN = Errno(Glibc.ENOTCONN)
    package static let ENOTDIR = Errno(Glibc.ENOTDIR)
    package static let ENOTSOCK = Errno(Glibc.ENOTSOCK)
    package static let ENOTTY = Errno(Glibc.ENOTTY)
    package static let EOPNOTSUPP = Errno(Glibc.EOPNOTSUPP)
    package static let EPERM = Errno(Glibc.EPERM)
    package static let EPIPE = Errno(Glibc.EPIPE)
    package static let EPROTOTYPE = Errno(Glibc.EPROTOTYPE)
    package static let EROFS = Errno(Glibc.EROFS)
    package static let ESRCH = Errno(Glibc.ESRCH)
    package static let ESTALE = Errno(Glibc.ESTALE)
    package static let ETIMEDOUT = Errno(Glibc.ETIMEDOUT)
    package static let ETOOMANYREFS = Errno(Glibc.ETOOMANYREFS)
    package static let ETXTBSY = Errno(Glibc.ETXTBSY)
    package static let EUCLEAN = Errno(Glibc.EUCLEAN)
    package static let EXDEV = Errno(Glibc.EXDEV)
}

extension Errno: CustomStringConvertible {
    /// The C library's words, such as `Permission denied`; thread-safe since glibc 2.32.
    package var description: String { unsafe String(cString: strerror(rawValue)) }
}
