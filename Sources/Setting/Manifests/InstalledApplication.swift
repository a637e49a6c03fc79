package import Linux
package import TaskModel

/// An application with a valid manifest and library.
package final class InstalledApplication {
    package let definition: ApplicationDefinition
    /// nil when every handler names its own library.
    package let library: InstalledLibrary?
    /// Its tasks with their libraries found, in the order of the manifest, and behind them those of its events.
    package let tasks: [TaskDefinition]
    /// Folders outside the system's with libraries that its foreign functions need.
    package let libraryFolders: [String]
    /// The user of the machine that its workers become; nil: the host chooses.
    package let account: Account?

    package init(
        definition: ApplicationDefinition, library: InstalledLibrary?, tasks: [TaskDefinition],
        libraryFolders: [String],
        account: Account? = nil
    ) {
        self.definition = definition
        self.library = library
        self.tasks = tasks
        self.libraryFolders = libraryFolders
        self.account = account
    }

    /// Whether a worker of the other form could serve this one: same manifest, same library file.
    package func isSame(as other: InstalledApplication) -> Bool {
        definition == other.definition && tasks == other.tasks && libraryFolders == other.libraryFolders
            && account == other.account && library?.file.identity == other.library?.file.identity
    }
}

/// A library that was checked.
package struct InstalledLibrary {
    package let path: String
    package let file: LibraryFile
    /// It exports `taskhost_application_v1`.
    package let isApplication: Bool
    /// What the zygote of its workers has loaded.
    package let needs: LibraryNeeds
}
