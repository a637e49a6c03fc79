/// Reads the tables of services that hosts older and newer than this SDK have.
package enum ExtensionTable {
    /// A table with the members that both sides know. Members that an older host lacks are zero, and `struct_size`
    /// excludes them.
    /// - Parameters:
    ///   - found: the host's table for the extension's name; it begins with its size in bytes, and is valid as long as the
    ///     process.
    ///   - type: our layout, a C struct. Members that came later than its first version are optional.
    ///   - first: bytes of the first version of the layout, which every host has.
    /// - Returns: a table that is valid as long as the process; nil when the host's is shorter than any that was released.
    package static func read<Table>(
        _ found: UnsafeRawPointer, as type: Table.Type, first: Int
    ) -> UnsafePointer<Table>? {
        let (theirs, ours) = unsafe (Int(found.loadUnaligned(as: UInt32.self)), MemoryLayout<Table>.size)
        guard theirs >= first else { return nil }
        guard theirs < ours else { return unsafe found.assumingMemoryBound(to: Table.self) }
        // Never freed: one for each extension of a process.
        let copy = UnsafeMutableRawPointer.allocate(byteCount: ours, alignment: MemoryLayout<Table>.alignment)
        unsafe copy.initializeMemory(as: UInt8.self, repeating: 0, count: ours)
        unsafe copy.copyMemory(from: found, byteCount: theirs)
        return unsafe UnsafePointer(copy.assumingMemoryBound(to: Table.self))
    }
}
