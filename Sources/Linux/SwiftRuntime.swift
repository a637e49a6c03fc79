/// The Swift runtime that applications' libraries load. The worker's own is linked into it, and out of their reach.
package enum SwiftRuntime {
    /// Names its folder to the loader of the process that workers are forked from (ld.so(8)), and to that process.
    package static let variable = "LD_LIBRARY_PATH"
    /// What libraries in Swift are linked with, though they use no Foundation.
    package static let libraries = [
        "libswiftGlibc.so", "libswiftSynchronization.so", "libswift_StringProcessing.so", "libswift_Concurrency.so",
    ]

    /// What a host tells the process that it has workers forked from: the folder that `make install` put beside the programs, else
    /// that of the host's own runtime. nil: there is none, or the loader would take its path for several.
    ///
    /// - Parameter executable: path of `taskhost-worker`.
    package static func folder(beside executable: String) -> String? {
        let folder = executable.split(separator: "/").dropLast().joined(separator: "/")
        let found = FileSystem.realPath("/\(folder)/../../lib/taskhost/runtime") ?? ofThisProcess
        return found?.contains { ":;".contains($0) } == true ? nil : found
    }

    /// For all libraries that are loaded later. What cannot be loaded is reported by who needs it.
    package static func preload() {
        for library in libraries { LoadedLibrary.preload(library) }
    }

    /// The folder that this process, or the one it was forked from, was told of by whoever started it; only for those whose
    /// environment is made for them.
    package static let told = ThisProcess.variable(variable)

    /// The folder of the runtime that this process runs with; nil: it is linked in, and none was loaded.
    package static var ofThisProcess: String? {
        guard let file = LoadedLibrary.file(ofSymbol: "swift_retain"), let slash = file.lastIndex(of: "/"),
            slash != file.startIndex, file[slash...].hasPrefix("/libswiftCore.so")
        else { return nil }
        return String(file[..<slash])
    }
}
