/// A folder of manifests, or one manifest, as the user named it, with its files in the order of their names.
package struct ManifestPath {
    let path: String
    /// Why nothing can be read here, with what to do.
    package var fault: String?
    /// The only file's name; nil: it is a folder.
    var onlyName: String?
    /// The folder without links, which shows whether two paths lead to one file.
    var realFolder: String
    /// Sorted by name.
    package var entries: [ManifestEntry] = []

    init(_ path: String) {
        self.path = path
        realFolder = path
    }

    var folder: String { onlyName == nil ? path : FilePlace(path).folder }

    /// The place of an entry of that name, or where it belongs.
    func place(of name: String) -> (index: Int, isThere: Bool) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return (low, low < entries.count && entries[low].name == name)
    }

    /// What to do about a folder without a manifest; nil: it has some, or cannot be read.
    package var emptiness: String? {
        entries.isEmpty && fault == nil && onlyName == nil
            ? "there is no manifest; \(path); put a file named <application>.json into it" : nil
    }

    /// Whether a file name is a manifest's.
    package static func isManifest(_ name: String) -> Bool {
        name.hasSuffix(".json") && name != "schema.json" && !name.hasPrefix(".")
    }
}
