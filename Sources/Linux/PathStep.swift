/// A name on the way to a file that decides which file it is: a link, or the file itself.
package struct PathStep: Equatable, Sendable {
    /// An absolute path without links, as far as it exists.
    package var folder: String
    package var name: String
    /// Of the link or file itself; nil: there is none.
    package var facts: FileSystem.Facts?

    /// Links of a path that the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    /// The links on the way to an absolute path, then its file. Where a part is missing the last step is the file in the folder
    /// that would be there.
    package static func steps(to path: String) -> [PathStep] {
        var steps: [PathStep] = []
        var place: [Substring] = []
        var ahead = Array(path.split(separator: "/").reversed())
        while let part = ahead.popLast() {
            if part == "." { continue }
            if part == ".." {
                _ = place.popLast()
                continue
            }
            let folder = "/" + place.joined(separator: "/")
            let here = place.isEmpty ? "/\(part)" : "\(folder)/\(part)"
            let facts = try? FileSystem.facts(ofPath: here)
            let target = facts?.isLink == true ? FileSystem.linkTarget(ofPath: here) : nil
            if let target {
                steps.append(PathStep(folder: folder, name: String(part), facts: facts))
                guard steps.count <= mostLinks else { return steps }
                if target.hasPrefix("/") { place = [] }
                ahead += target.split(separator: "/").reversed()
            } else if ahead.isEmpty {
                steps.append(PathStep(folder: folder, name: String(part), facts: facts))
            } else {
                place.append(part)
            }
        }
        return steps
    }
}
