import JSON
import Linux
package import Manifests
package import TaskModel

/// Checks the libraries of one application by reading their files: found, trusted, loadable here, exporting what the
/// manifest names. Runs no code of theirs.
package struct LibraryInspector {
    /// A library larger than this is refused.
    private static let longestLibrary = 512 << 20
    private static let applicationSymbol = "taskhost_application_v1"

    private let definition: ApplicationDefinition
    private let places: ManifestPlaces
    package private(set) var diagnostics: [Diagnostic] = []

    /// - Parameter places: where the manifest says what, for the messages.
    package init(_ definition: ApplicationDefinition, places: ManifestPlaces = ManifestPlaces()) {
        self.definition = definition
        self.places = places
    }

    /// A library's file with its parsed content.
    private struct Found {
        var place: LibraryLocator.Place
        var path: String
        var bytes: [UInt8]
        var file: InstalledLibrary.File
    }

    /// The application with its libraries; nil when something is wrong, which the diagnostics tell.
    package mutating func inspect() -> InstalledApplication? {
        var library: InstalledLibrary?
        var own: Found?
        if let name = definition.library {
            own = find(name, at: "$.library")
            if let own { library = makeLibrary(own) }
        }
        var tasks: [TaskDefinition] = []
        var folders: [String] = []
        for task in definition.tasks {
            let path = "$.tasks[\"\(task.identifier)\"].handler"
            var resolved = task
            switch task.handler {
            case .symbol(let symbol): require(symbol, in: own, at: path)
            case .registered:
                if let library, !library.isApplication {
                    refuse(
                        path, found: "no handler, and \(library.path) does not export \(Self.applicationSymbol)",
                        expected: "a handler in the manifest, or a library that registers it at launch")
                }
            case .foreign(var function):
                guard let name = function.library else {
                    require(function.symbol, in: own, at: path + ".symbol")
                    break
                }
                guard let found = find(name, at: path + ".library") else { continue }
                require(function.symbol, in: found, at: path + ".symbol")
                if !found.place.isSystem {
                    function.library = found.path
                    folders.append(found.place.folder)
                }
                resolved.handler = .foreign(function)
            }
            checkFrame(of: resolved)
            tasks.append(resolved)
        }
        guard !diagnostics.contains(where: { $0.severity == .error }) else { return nil }
        return InstalledApplication(
            definition: definition, library: library, tasks: tasks, libraryFolders: Array(Set(folders)).sorted())
    }

    private mutating func find(_ name: String, at path: String) -> Found? {
        let places = LibraryLocator.places(of: name, manifestFolder: definition.manifestFolder)
        for place in places {
            do throws(TrustFault) {
                let file = try TrustedFile.open(place.name, in: place.folder)
                return read(file, place, at: path)
            } catch {
                if error.isMissing { continue }
                refuse(
                    path, found: "\(place.folder)/\(place.name): \(error.sentence)",
                    expected: "a library that can be trusted")
                return nil
            }
        }
        refuse(
            path, found: "\"\(name)\", which is not there",
            expected: name.contains("/")
                ? "a library at \(places[0].folder)/\(places[0].name)"
                : "a library in the manifest's folder, beside taskhost, or where the loader looks",
            hint: "build it, or copy it to \(definition.manifestFolder)")
        return nil
    }

    private mutating func read(
        _ file: consuming Descriptor, _ place: LibraryLocator.Place, at path: String
    ) -> Found? {
        let full = FileSystem.realPath(place.folder + "/" + place.name) ?? place.folder + "/" + place.name
        do throws(SystemError) {
            let bytes = try FileSystem.read(file, limit: Self.longestLibrary, naming: full)
            let found = Found(place: place, path: full, bytes: bytes, file: InstalledLibrary.File(file))
            return bytes.withUnsafeBytes { isLoadable($0, full, at: path) } ? found : nil
        } catch {
            refuse(path, found: "\(error)", expected: "a readable library")
            return nil
        }
    }

    private mutating func isLoadable(_ bytes: UnsafeRawBufferPointer, _ file: String, at path: String) -> Bool {
        do throws(ELFError) {
            try ELFImage(bytes).checkLoadable()
            return true
        } catch {
            refuse(path, found: "\(file), which \(error)", expected: "a shared library for this machine")
            return false
        }
    }

    private mutating func makeLibrary(_ found: Found) -> InstalledLibrary? {
        if let pinned = definition.librarySHA256, SHA256.digest(of: found.bytes) != pinned {
            refuse(
                "$.sha256", found: "another digest than that of \(found.path)",
                expected: SHA256.text(SHA256.digest(of: found.bytes)),
                hint: "if the library is the right one, write this")
            return nil
        }
        let (isApplication, needed) = found.bytes.withUnsafeBytes { bytes -> (Bool, [String]) in
            guard let image = try? ELFImage(bytes) else { return (false, []) }
            return (image.exports(Self.applicationSymbol), image.needed)
        }
        return InstalledLibrary(
            path: found.path, file: found.file, isApplication: isApplication,
            needsFoundation: needed.contains { $0.hasPrefix("libFoundation") })
    }

    private mutating func require(_ symbol: String, in library: Found?, at path: String) {
        guard let library else { return }  // already reported
        let kind = library.bytes.withUnsafeBytes { bytes in (try? ELFImage(bytes))?.kind(of: symbol) }
        switch kind {
        case .function, .untyped: return
        case .object:
            refuse(path, found: "\"\(symbol)\", which is data in \(library.path)", expected: "an exported function")
        case nil:
            refuse(
                path, found: "\"\(symbol)\", which \(library.path) does not export", expected: "an exported function",
                hint: "check the name with: nm -D --defined-only \(library.path)")
        }
    }

    mutating func refuse(_ path: String, found: String, expected: String, hint: String? = nil) {
        diagnostics.append(
            Diagnostic(
                file: definition.manifestPath, position: places.position(of: path), path: path, found: found,
                expected: expected,
                hint: hint))
    }
}
