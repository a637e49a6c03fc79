import Glibc

/// Watches on files and folders, by the kernel's names (inotify(7)). Watches are numbered by the kernel; two on one file are one.
///
/// *Thread*: any; one reads at a time.
package final class Inotify: Sendable {
    package struct Mask: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        private init(_ value: some BinaryInteger) { rawValue = UInt32(truncatingIfNeeded: value) }

        package static let IN_ATTRIB = Mask(Glibc.IN_ATTRIB)
        package static let IN_CLOSE_WRITE = Mask(Glibc.IN_CLOSE_WRITE)
        package static let IN_CREATE = Mask(Glibc.IN_CREATE)
        package static let IN_DELETE = Mask(Glibc.IN_DELETE)
        package static let IN_DELETE_SELF = Mask(Glibc.IN_DELETE_SELF)
        package static let IN_EXCL_UNLINK = Mask(Glibc.IN_EXCL_UNLINK)
        package static let IN_IGNORED = Mask(Glibc.IN_IGNORED)
        package static let IN_MASK_ADD = Mask(Glibc.IN_MASK_ADD)
        package static let IN_MOVED_FROM = Mask(Glibc.IN_MOVED_FROM)
        package static let IN_MOVED_TO = Mask(Glibc.IN_MOVED_TO)
        package static let IN_MOVE_SELF = Mask(Glibc.IN_MOVE_SELF)
        package static let IN_ONLYDIR = Mask(Glibc.IN_ONLYDIR)
        package static let IN_UNMOUNT = Mask(Glibc.IN_UNMOUNT)
    }

    /// Readable when something was announced.
    package let descriptor: Descriptor

    package init() throws(SystemError) {
        let number = try Descriptor.count("inotify_init1") { Int(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))) }
        descriptor = Descriptor(adopting: Int32(number))
    }

    /// - Returns: the watch's number.
    package func add(_ path: String, _ mask: Mask) throws(SystemError) -> Int32 {
        try Int32(
            Descriptor.count("inotify_add_watch", path) {
                unsafe Int(inotify_add_watch(descriptor.number, path, mask.rawValue))
            })
    }

    /// A watch that was removed with its folder is not an error.
    package func remove(_ watch: Int32) { _ = inotify_rm_watch(descriptor.number, watch) }

    /// Lends the waiting events, structs inotify_event one after another, with at most `most` reads; the rest is announced
    /// again.
    package func read(most: Int, _ body: (RawSpan) -> Void) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            for _ in 0..<most {
                let count = unsafe Glibc.read(descriptor.number, buffer.baseAddress, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                unsafe body(UnsafeRawBufferPointer(rebasing: buffer[0..<count]).bytes)
            }
        }
    }
}
