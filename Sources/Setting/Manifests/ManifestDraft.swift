import Linux
import TaskModel

/// A manifest's text that is not in its file yet: it is read in the file's place, which may be missing.
package struct ManifestDraft {
    /// Absolute: where the text belongs.
    package let path: String
    package let bytes: [UInt8]
    /// The folder without links, and the name in it.
    let realPath: String

    package init(_ bytes: [UInt8], for path: String) {
        self.bytes = bytes
        self.path = path
        let place = FilePlace(path)
        realPath = (FileSystem.realPath(place.folder) ?? place.folder) + "/" + place.name
    }
}

extension Catalogue {
    /// A draft among the manifests of some paths, as it would be read there. What is wrong with the others is left out, and a
    /// conflict with one of them is the draft's.
    package init(_ draft: ManifestDraft, among paths: [String], accounts: AccountRules) {
        let reader = ManifestReader(
            paths.filter { $0 != draft.path } + [draft.path], profile: .modern, accounts: accounts,
            where: { $0.manifestPath == draft.path })
        reader.draft = draft
        reader.begin(.all)
        while reader.step() {}
        self.init(reader, only: draft.path)
    }
}
