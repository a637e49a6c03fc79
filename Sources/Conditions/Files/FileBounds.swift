/// How much of the machine file conditions may take.
package struct FileBounds: Sendable {
    /// Folders that are watched at most; what waits for others waits for one of them to be let go as well.
    package var folders = 1024
    /// Entries of a folder that are looked at; of a folder with more nobody can say what is in it.
    package var entries = 1_000_000

    package init() {}
}
