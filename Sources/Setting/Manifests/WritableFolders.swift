import Linux
package import TaskModel

/// The folders that the applications of this host may write. Any of them can hold links that lead elsewhere, so the
/// rules of a worker must consider all of them.
///
/// Paths stay in the list: a removed application may have left links.
package struct WritableFolders {
    /// As they are named, each once; new ones come last.
    package private(set) var paths: [String]
    private var known: Set<String>

    package init(state: StateFolder) {
        // All applications' own folders.
        paths = [state.path + "/" + StateFolder.applicationsName]
        known = Set(paths)
    }

    package mutating func add(_ definition: ApplicationDefinition) {
        for path in Self.paths(of: definition) { add(path) }
    }

    package mutating func add(_ path: String) {
        if known.insert(path).inserted { paths.append(path) }
    }

    /// Paths that an application may write in addition to its own folders.
    static func paths(of definition: ApplicationDefinition) -> [String] {
        definition.permissions.write.compactMap { path in
            let expanded = GrantVariables.expand(path, [("$MANIFEST", definition.manifestFolder)])
            return expanded.hasPrefix("/") ? GrantResolver.normalized(expanded) : nil
        }
    }
}
