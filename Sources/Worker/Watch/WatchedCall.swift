import Linux

/// Where a system call that leads somewhere has its arguments, by place.
enum WatchedCall {
    struct Path {
        /// The descriptor of the folder that the text begins in; nil: the working folder.
        var folder: Int?
        var text: Int
        init(_ text: Int, in folder: Int? = nil) {
            self.text = text
            self.folder = folder
        }
    }

    /// `flags` by place; nil: those of creat(2).
    case open(Path, flags: Int?)
    /// The flags are in `struct open_how`.
    case openHow(Path, how: Int)
    case execute(Path)
    /// It makes something that was not there.
    case make(Path)
    case remove(Path)
    /// Both are links of one file, or names one after the other.
    case move(Path, Path, keepsFirst: Bool)
    case cut(Path)
    case connect
    case bind
    case sendTo
    case sendMessage
    case sendMessages
    case attributes(Path?)
    /// Confined programs are refused it, whatever its arguments.
    case other

    private static let table: [String: WatchedCall] = [
        "open": .open(Path(0), flags: 1), "creat": .open(Path(0), flags: nil),
        "openat": .open(Path(1, in: 0), flags: 2), "openat2": .openHow(Path(1, in: 0), how: 2),
        "execve": .execute(Path(0)), "execveat": .execute(Path(1, in: 0)),
        "mkdir": .make(Path(0)), "mkdirat": .make(Path(1, in: 0)), "mknod": .make(Path(0)),
        "mknodat": .make(Path(1, in: 0)), "symlink": .make(Path(1)), "symlinkat": .make(Path(2, in: 1)),
        "unlink": .remove(Path(0)), "unlinkat": .remove(Path(1, in: 0)), "rmdir": .remove(Path(0)),
        "rename": .move(Path(0), Path(1), keepsFirst: false),
        "renameat": .move(Path(1, in: 0), Path(3, in: 2), keepsFirst: false),
        "renameat2": .move(Path(1, in: 0), Path(3, in: 2), keepsFirst: false),
        "link": .move(Path(0), Path(1), keepsFirst: true),
        "linkat": .move(Path(1, in: 0), Path(3, in: 2), keepsFirst: true), "truncate": .cut(Path(0)),
        "connect": .connect, "bind": .bind, "sendto": .sendTo, "sendmsg": .sendMessage, "sendmmsg": .sendMessages,
        "chmod": .attributes(Path(0)), "fchmodat": .attributes(Path(1, in: 0)), "fchmod": .attributes(nil),
        "chown": .attributes(Path(0)), "lchown": .attributes(Path(0)), "fchownat": .attributes(Path(1, in: 0)),
        "fchown": .attributes(nil), "utime": .attributes(Path(0)), "utimes": .attributes(Path(0)),
        "futimesat": .attributes(Path(1, in: 0)), "utimensat": .attributes(Path(1, in: 0)),
    ]

    /// The arguments of socket(2), its type without the flags.
    static func socket(_ notice: SystemCallNotice) -> (domain: UInt32, type: UInt32, number: UInt32) {
        let words = notice.arguments
        return (
            UInt32(truncatingIfNeeded: words[0]), UInt32(truncatingIfNeeded: words[1]) & 0xf,
            UInt32(truncatingIfNeeded: words[2])
        )
    }

    init(named name: String) { self = Self.table[name] ?? .other }
}
