import CLinux
import Glibc

/// To whom a folder is given while it is weighed, with all that it holds already, so that the file system counts it.
///
/// Files of other users and of other projects are left alone: a link may have brought them there. A folder comes before its
/// entries: what is made in it meanwhile belongs to the project by itself. Nobody may move things about at that time, for
/// what belongs to nobody cannot be moved into a project's folder (EXDEV).
package struct ProjectGift: Sendable {
    private let project: UInt32
    private let user: UInt32

    /// - Parameter user: whose files they are.
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

    /// Gives a regular file by its name. Others hold no blocks to speak of, and opening them may have effects.
    func give(_ name: UnsafePointer<CChar>, in folder: Int32, _ facts: stat) throws(SystemError) {
        guard isOurs(facts), facts.st_mode & S_IFMT == S_IFREG else { return }
        let number = unsafe clinux_openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
        guard number >= 0 else { return }
        let file = Descriptor(adopting: number)
        _ = try give(file.number, isFolder: false)
    }

    func isOurs(_ facts: stat) -> Bool { facts.st_uid == user }
}
