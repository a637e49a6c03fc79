import Linux
import Setting

/// Writes a new plugin into a folder that is empty or not there yet.
enum PluginFolder {
    static func write(_ template: PluginTemplate, into folder: String) throws(Failure) {
        do throws(SystemError) {
            try FileSystem.makeFolders(folder, mode: 0o755)
            guard try FileSystem.names(in: folder).isEmpty else {
                throw SystemError("mkdir", code: .EEXIST, object: folder)
            }
            for file in template.files {
                let path = folder + "/" + file.path
                try FileSystem.makeFolders(FilePlace(path).folder, mode: 0o755)
                // O_EXCL: a file that appears in the meantime must not be overwritten.
                let target = try Descriptor.open(
                    path, [.O_WRONLY, .O_CREAT, .O_EXCL], mode: file.isProgram ? 0o755 : 0o644)
                try FileSystem.write(Array(file.text.utf8), to: target, naming: path)
            }
        } catch {
            throw error.code == .EEXIST
                ? .cannotCreate(
                    "there is something already; \(error.object); name a new folder with --directory, or move it away")
                : .cannotCreate("the plugin cannot be written; \(error); name another folder with --directory")
        }
    }
}
