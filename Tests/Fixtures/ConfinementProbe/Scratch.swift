import ConfinementAttacks
import Glibc

/// The folder that the probe works in: a small world with a state folder, things that are granted and things that are not.
struct Scratch {
    let root: String

    /// Makes it below `/tmp`. Modes are wide open outside of the state folder: only the confinement protects it.
    init?(workerUser: UInt32, ownsAll: Bool = false) {
        var template = Array("/tmp/confinement-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard chmod(root, 0o755) == 0 else { return nil }
        for folder in ["outside", "outside/folder", "granted", "shared"] { open(folder: folder) }
        for file in ["outside/secret", "outside/target", "granted/file", "outside/folder/file"] { fill(file: file) }
        for folder in ["state", "cache"] {
            guard mkdir(root + "/" + folder, 0o700) == 0 else { return nil }
            if workerUser != 0 { guard chown(root + "/" + folder, workerUser, workerUser) == 0 else { return nil } }
        }
        if ownsAll { own(root, workerUser) }
        // What an earlier worker may have left behind.
        _ = symlink(root + "/outside", root + "/shared/planted")
        _ = symlink("../outside", root + "/state/planted")
    }

    /// One that exists.
    init(root: String) { self.root = root }

    /// Replaces a leading `@` by the root.
    func place(_ argument: String) -> String {
        argument.hasPrefix("@") ? root + "/" + argument.dropFirst() : argument
    }

    func remove() { attack_remove_tree(root) }

    /// Gives what is there to a user.
    private func own(_ root: String, _ user: UInt32) {
        let places = [
            "", "/outside", "/outside/folder", "/granted", "/shared", "/outside/secret", "/outside/target",
            "/granted/file",
            "/outside/folder/file",
        ]
        for place in places { _ = chown(root + place, user, user) }
    }

    private func open(folder: String) {
        _ = mkdir(root + "/" + folder, 0o777)
        _ = chmod(root + "/" + folder, 0o777)
    }

    private func fill(file: String) {
        let descriptor = Glibc.open(root + "/" + file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        _ = write(descriptor, "text", 4)
        _ = fchmod(descriptor, 0o666)
        _ = close(descriptor)
    }
}
