package import Linux

/// Opens manifests and libraries that only root and the host's user can have written.
package enum TrustedFile {
    /// Opens `name` below `folder`, following no link that leads out of the folder.
    package static func open(_ name: String, in folder: String) throws(TrustFault) -> Descriptor {
        do throws(SystemError) {
            return try openAndRequire(name, in: folder)
        } catch {
            throw TrustFault(error, folder: folder)
        }
    }

    private static func openAndRequire(_ name: String, in folder: String) throws(SystemError) -> Descriptor {
        let root = try Descriptor.open(folder, [.O_PATH, .O_DIRECTORY])
        let file = try FileSystem.open(beneath: root, name, [.O_RDONLY, .O_NONBLOCK])
        let facts = try FileSystem.facts(of: file)
        guard facts.isFile else { throw SystemError("open", code: .EISDIR, object: name) }
        try require(facts, "it")
        try require(FileSystem.facts(of: root), "its folder \(folder)")
        return file
    }

    private static func require(_ facts: FileSystem.Facts, _ what: String) throws(SystemError) {
        guard facts.user == 0 || facts.user == ThisProcess.user else {
            throw SystemError("owner", code: .EPERM, object: "\(what) belongs to user \(facts.user)")
        }
        // A sticky folder such as /tmp lets others add files, not replace this one.
        let sticky = facts.isFolder && facts.isSticky
        guard !facts.isWritableByOthers || sticky else {
            throw SystemError(
                "mode", code: .EPERM,
                object: "\(what) can be written by others (mode \(String(facts.mode & 0o7777, radix: 8)))")
        }
    }
}

/// Why a file is not trusted or cannot be opened, and what to do.
package struct TrustFault: Error {
    var isMissing = false
    package var sentence: String

    init(_ error: SystemError, folder: String) {
        switch (error.call, error.code) {
        case ("owner", _): sentence = "\(error.object); it must belong to root or to the host's user: chown it"
        case ("mode", _): sentence = "\(error.object); take the right away: chmod go-w"
        case (_, .EXDEV), (_, .ELOOP):
            sentence = "a symbolic link leads out of \(folder); put the file itself there"
        case (_, .ENOENT):
            isMissing = true
            sentence = "it does not exist in \(folder)"
        case (_, .EISDIR): sentence = "it is not a regular file; put a file there"
        default: sentence = "\(error); check the path and its permissions"
        }
    }
}
