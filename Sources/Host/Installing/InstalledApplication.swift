package import Linux
package import TaskModel

/// An application whose manifest and library were found good.
package final class InstalledApplication {
    package let definition: ApplicationDefinition
    /// nil when every handler names a library of its own.
    package let library: InstalledLibrary?
    /// Its tasks with their libraries found, in the order of the manifest.
    package let tasks: [TaskDefinition]
    /// Folders of libraries that its foreign functions need and that lie outside the system's.
    package let libraryFolders: [String]

    package init(
        definition: ApplicationDefinition, library: InstalledLibrary?, tasks: [TaskDefinition], libraryFolders: [String]
    ) {
        self.definition = definition
        self.library = library
        self.tasks = tasks
        self.libraryFolders = libraryFolders
    }

    /// Whether a worker of the other form could serve this one: same manifest, same library file.
    func isSame(as other: InstalledApplication) -> Bool {
        definition == other.definition && tasks == other.tasks && libraryFolders == other.libraryFolders
            && library?.facts == other.library?.facts
    }
}

/// A library file that was checked. The descriptor stays open: what was checked is what is mapped, whatever happens to the
/// path meanwhile.
package struct InstalledLibrary {
    package let path: String
    package let file: File
    /// It exports `taskhost_application_v1`.
    package let isApplication: Bool
    /// It needs Foundation: its workers come from the zygote that has it loaded.
    package let needsFoundation: Bool

    /// What tells this file from another one; nil: nobody knows.
    var facts: FileSystem.Facts? { try? FileSystem.facts(of: file.descriptor) }

    /// The open file.
    package final class File {
        package let descriptor: Descriptor
        package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }
}
