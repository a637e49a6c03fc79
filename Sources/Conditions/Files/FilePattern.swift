/// Files of one folder: a name that may hold `*` (any bytes, also none) and `?` (any byte). As in a shell a name that begins
/// with a dot is matched only by a pattern that does.
package struct FilePattern: Hashable, Sendable {
    /// An absolute path; a folder is read only if its path has no link.
    package let folder: String
    package let name: [UInt8]
    /// As the manifest has it.
    package let text: String
    /// The name is a file's own, without wildcards; a link there counts as such, wherever it leads, and so does each change of its
    /// rights.
    package let isExact: Bool

    package init(folder: String, name: String, text: String) {
        self.folder = folder
        self.name = Array(name.utf8)
        self.text = text
        isExact = false
    }

    /// One file by its own name.
    init(exactly name: String, in folder: String) {
        self.folder = folder
        self.name = Array(name.utf8)
        text = folder + "/" + name
        isExact = true
    }

    /// Takes time for the product of the two lengths at most.
    package func matches(_ candidate: [UInt8]) -> Bool {
        if isExact { return name == candidate }
        let (star, any, dot) = (UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "."))
        if candidate.first == dot && name.first != dot { return false }
        var (own, place) = (0, 0)
        // The position after the last star, and where its match ends.
        var retry: (own: Int, place: Int)?
        while place < candidate.count {
            if own < name.count, name[own] == star {
                own += 1
                retry = (own, place)
            } else if own < name.count, name[own] == any || name[own] == candidate[place] {
                own += 1
                place += 1
            } else if let last = retry {
                retry = (last.own, last.place + 1)
                (own, place) = (last.own, last.place + 1)
            } else {
                return false
            }
        }
        return name[own...].allSatisfy { $0 == star }
    }
}
