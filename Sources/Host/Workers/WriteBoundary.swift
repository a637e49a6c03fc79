import Control
import Linux
import Setting
import TaskModel

/// What confined applications may not write: the host's own state, and whatever is run with all rights of a user.
struct WriteBoundary {
    let state: StateFolder
    /// The file of the host's own settings; nil: it has none.
    let configuration: String?
    /// What applications may write, see `WritableFolders`.
    let writable: [String]

    /// The host's record and its control socket are no application's, as long as it is confined.
    ///
    /// - Parameter variables: of its grants.
    func check(grantsOf definition: ApplicationDefinition, _ variables: [(String, String)]) throws(LaunchFault) {
        let own = state.folder(of: definition.identifier)
        for path in definition.permissions.write {
            let whole = GrantResolver.normalized(GrantVariables.expand(path, variables))
            if let configuration, [configuration, FilePlace(configuration).folder].contains(whole) {
                throw LaunchFault(
                    "\"write\" names \(path), where the host's configuration is; grant another folder, or move the configuration"
                )
            }
            guard GrantResolver.lies(whole, in: state.path), !GrantResolver.lies(whole, in: own) else { continue }
            throw LaunchFault("\"write\" names \(path), which is the host's own state; grant a folder outside of it")
        }
        for path in definition.permissions.sockets {
            let named = GrantResolver.normalized(GrantVariables.expand(path, variables))
            let isOurs = [named, FileSystem.realPath(named) ?? named].contains { place in
                GrantResolver.lies(place, in: state.path) && !GrantResolver.lies(place, in: own)
                    || place == FileSystem.realPath(state.path + "/" + ControlSocket.fileName)
            }
            if isOurs { throw LaunchFault("\"sockets\" names \(path), which is the host's own; grant another service") }
        }
    }

    /// What a confined application may write could give it all rights of a user: neither the manifest, nor a program, nor the host's
    /// configuration may be that.
    func check(unconfined definition: ApplicationDefinition) throws(LaunchFault) {
        let programs = definition.programs.map {
            GrantVariables.expand($0, [("$MANIFEST", definition.manifestFolder)])
        }
        for place in [definition.manifestFolder] + programs + [configuration].compactMap(\.self) {
            let real = [place, FileSystem.realPath(place) ?? place]
            let open = writable.first { folder in real.contains { GrantResolver.lies($0, in: folder) } }
            guard let open else { continue }
            throw LaunchFault(
                "\"confinement\": \"none\" is refused, because a confined application may write \(open), "
                    + "in which \(place) lies; move that elsewhere, or narrow that grant")
        }
    }
}
