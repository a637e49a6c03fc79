/// How much of the machine file conditions may take.
package struct FileBounds: Sendable {
    /// How many folders are watched at most; tasks with further folders wait until one is released.
    package var folders = 1024
    /// Entries of a folder that are read; the contents of a larger folder are unknown.
    package var entries = 1_000_000

    package init() {}
}
