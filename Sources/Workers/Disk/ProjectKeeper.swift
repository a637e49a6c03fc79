package import Linux
package import TaskModel

/// Enforces applications' disk budgets with the project quotas of their file system.
///
/// A folder's number is stored in the folder itself and read there at every start. It is inherited once everything in the
/// folder has it: a folder that does not pass it on yet was interrupted, and is processed again.
///
/// *Thread*: one at a time.
package final class ProjectKeeper: Sendable {
    /// Extra space for an application that is already over budget: without any, it could not clean up.
    package static let roomToCleanUp = ByteCount.mebibytes(1)

    package let quotas: ProjectQuotas
    private let numbers: ProjectNumbers

    /// - Parameters:
    ///   - folder: the state folder.
    ///   - range: the numbers that projects may have.
    /// - Throws: says why there is none here.
    package init(of folder: String, range: ClosedRange<UInt32>) throws(Lack) {
        do throws(SystemError) {
            quotas = try ProjectQuotas(of: folder)
        } catch {
            throw Lack(cause: .noQuotas)
        }
        do throws(SystemError) {
            _ = try quotas.usage(of: range.lowerBound)
        } catch {
            throw Lack(cause: error.code == .EPERM ? .noRight : .failed(error))
        }
        numbers = ProjectNumbers(
            range, projects: (try? FileText.read("/etc/projects", limit: 1 << 20)) ?? "",
            names: (try? FileText.read("/etc/projid", limit: 1 << 20)) ?? "")
    }

    package struct Lack: Error {
        package var cause: DiskHold.Cause
    }

    /// An application's folders and their limit.
    package struct Wish: Sendable {
        /// The folder that contains them.
        package var folder: String
        /// The folders themselves.
        package var parts: [String]
        /// Their owner.
        package var user: UInt32
        package var budget: ByteCount

        package init(folder: String, parts: [String], user: UInt32, budget: ByteCount) {
            self.folder = folder
            self.parts = parts
            self.user = user
            self.budget = budget
        }
    }

    /// The counted size of a project, in bytes.
    package func weight(of project: UInt32) throws(SystemError) -> UInt64 { try quotas.usage(of: project).bytes }

    /// Gives the folders a project, if they have none, and the project its limit.
    package func hold(_ wish: Wish) -> DiskHold {
        do throws(SystemError) {
            let place = try Descriptor.open(wish.folder, [.O_RDONLY, .O_DIRECTORY, .O_NOFOLLOW])
            if let cause = try objection(to: wish, place) { return .weight(cause) }
            let present = try ProjectQuotas.membership(of: place.number)
            let isNew = present.project == 0
            guard let project = try isNew ? claim(place, wish) : present.project else { return .weight(.noNumber) }
            if isNew || !present.isInherited { try give(wish, place, to: project) }
            let usage = try quotas.usage(of: project)
            try quotas.limit(project, to: Self.limit(for: wish.budget, usage))
            return .quota(project: project)
        } catch {
            return .weight(.failed(error))
        }
    }

    /// An application over budget may not add files, but may move them. Freed space is not available again. 0: there is none.
    package static func limit(for budget: ByteCount, _ usage: ProjectQuotas.Usage) -> UInt64 {
        guard budget < .unlimited else { return 0 }
        guard usage.bytes > budget.bytes else { return budget.bytes }
        return min(usage.bytes + roomToCleanUp.bytes, usage.limit > 0 ? usage.limit : .max)
    }

    /// Why the folders are not to be touched.
    private func objection(
        to wish: Wish, _ place: borrowing Descriptor
    ) throws(SystemError) -> DiskHold.Cause? {
        // A project of the folder above applies to this one too, as its owner intended.
        let above = try Descriptor.open(wish.folder + "/..", [.O_RDONLY, .O_DIRECTORY])
        let outer = try ProjectQuotas.membership(of: above.number).project
        if outer != 0 { return .foreign(project: outer) }
        let own = try ProjectQuotas.membership(of: place.number).project
        if own != 0 && !numbers.range.contains(own) { return .foreign(project: own) }
        for path in [wish.folder] + wish.parts {
            let folder = try Descriptor.open(path, [.O_RDONLY, .O_DIRECTORY, .O_NOFOLLOW])
            if try ProjectQuotas.device(of: folder.number) != quotas.device { return .elsewhere }
            let project = try ProjectQuotas.membership(of: folder.number).project
            if project != 0 && project != own { return .foreign(project: project) }
        }
        return nil
    }

    /// Finds an unused number, the same as the user if possible, and marks the folder with it. Nil: there is none.
    private func claim(_ place: borrowing Descriptor, _ wish: Wish) throws(SystemError) -> UInt32? {
        for project in numbers.candidates(from: wish.user) where try quotas.usage(of: project).isNothing {
            try ProjectQuotas.set(.init(project: project, isInherited: false), of: place.number)
            // Another host may have found it free at the same moment: then both continue searching.
            if try quotas.usage(of: project).files == 1 { return project }
            try ProjectQuotas.set(.init(project: 0, isInherited: false), of: place.number)
        }
        return nil
    }

    /// Assigns the contents of the folders, and then the folder with everything created in it later.
    private func give(_ wish: Wish, _ place: borrowing Descriptor, to project: UInt32) throws(SystemError) {
        var weight = FolderWeight(gift: ProjectGift(to: project, user: wish.user))
        for part in wish.parts where !weight.add(part) {
            throw weight.fault ?? SystemError("too many files to be given to a project", code: .E2BIG, object: part)
        }
        try ProjectQuotas.set(.init(project: project, isInherited: true), of: place.number)
    }
}
