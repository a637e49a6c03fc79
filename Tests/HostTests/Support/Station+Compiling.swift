import Foundation
import TestSupport

extension Station {
    /// Makes `libNAME.so` of C code beside the manifests, for every user to read.
    ///
    /// - Parameter flags: of the compiler, beside the usual ones.
    func compile(_ name: String, _ source: String, flags: [String] = []) throws {
        let code = try folder.write("\(name).c", source)
        try FileManager.default.createDirectory(at: manifestFolder, withIntermediateDirectories: true)
        let library = manifestFolder.appending(path: "lib\(name).so").path
        let compiled = try Command.run(
            "cc",
            ["-shared", "-fPIC", "-w", "-D_GNU_SOURCE", "-I", Places.include.path] + flags + ["-o", library, code.path])
        guard compiled.succeeded else { throw Problem(compiled.output) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: library)
    }
}
