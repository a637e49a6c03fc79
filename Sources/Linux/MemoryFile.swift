import CLinux

/// A file in memory (memfd_create(2)).
package enum MemoryFile {
    /// One with these bytes, to be read from its beginning, that nobody can change any more.
    package static func sealed(_ bytes: [UInt8], name: String) throws(SystemError) -> Descriptor {
        try unsafe Descriptor(adopting: check(clinux_sealed(name, bytes, bytes.count), "memfd_create", name))
    }
}
