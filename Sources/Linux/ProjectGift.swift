import CLinux
import Glibc

/// The project that gets a folder while it is measured, with everything in it, so that the file system counts it.
///
/// Files of other users and of other projects are skipped: a link may have brought them there. A folder comes before its
/// entries: files that are created in it meanwhile inherit the project. No process may move files during that time, because
/// files without a project cannot be moved into a project's folder (EXDEV).
package struct ProjectGift: Sendable {
    private let project: UInt32
    private let user: UInt32

    /// - Parameter user: the owner of the files.
    package init(to project: UInt32, user: UInt32) {
        self.project = project
        self.user = user
    }

    /// Gives an open file or folder.
    ///
    /// - Returns: false for another project's.
    func give(_ file: Int32, isFolder: Bool) throws(SystemError) -> Bool {
        let present = try ProjectQuotas.membership(of: file)
        guard present.project == 0 || present.project == project else { return false }
        let wanted = ProjectQuotas.Membership(project: project, isInherited: isFolder)
        if present != wanted { try ProjectQuotas.set(wanted, of: file) }
        return true
    }

    /// Gives a regular file to the project by its name. Others have hardly any blocks, and opening them may have
    /// effects.
    func give(_ name: UnsafePointer<CChar>, in folder: Int32, _ facts: stat) throws(SystemError) {
        guard isOurs(facts), facts.st_mode & S_IFMT == S_IFREG else { return }
        let number = unsafe clinux_openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
        guard number >= 0 else { return }
        let file = Descriptor(adopting: number)
        _ = try give(file.number, isFolder: false)
    }

    func isOurs(_ facts: stat) -> Bool { facts.st_uid == user }
}
