import Linux
import Manifests
import Record

// The manifest files, and their contents.
extension ManifestReader {
    /// Names that one step lists or adds.
    static let namesAtOnce = 256
    /// How many names one step handles.
    private static let filesAtOnce = 32

    // MARK: All of them

    func open(_ index: Int) {
        guard index < paths.count else {
            for old in earlier { removed += old.entries.filter { $0.listing != listing } }
            phase = .withdrawing(next: 0)
            return
        }
        var place = ManifestPath(paths[index].path)
        sorter = NameSorter()
        do throws(SystemError) {
            if let draft, draft.path == place.path {
                place.onlyName = FilePlace(place.path).name
                phase = .adding(path: index, names: [FilePlace(place.path).name], next: 0)
            } else if try FileSystem.followedFacts(of: place.path).isFolder {
                phase = .listing(path: index, try FolderEntries(place.path))
            } else {
                place.onlyName = FilePlace(place.path).name
                phase = .adding(path: index, names: [FilePlace(place.path).name], next: 0)
            }
        } catch {
            place.fault = Catalogue.sentence(error, place.path)
            phase = .opening(path: index + 1)
        }
        place.realFolder = FileSystem.realPath(place.folder) ?? place.folder
        paths[index] = place
    }

    func list(_ index: Int, _ listing: FolderEntries) {
        let names = listing.names(Self.namesAtOnce)
        sorter.add(names.filter(ManifestPath.isManifest))
        if names.isEmpty { phase = .sorting(path: index) }
    }

    func add(_ names: [String], from start: Int, to index: Int) {
        let end = min(names.count, start + Self.namesAtOnce)
        for name in names[start..<end] {
            // The last place has it: what contradicts another manifest is the draft's fault.
            if let draft, paths[index].path != draft.path, draft.realPath == paths[index].realFolder + "/" + name {
                continue
            }
            guard owners.updateValue(index, forKey: paths[index].realFolder + "/" + name) == nil else { continue }
            let old = earlier[index].place(of: name)
            let entry =
                old.isThere && earlier[index].folder == paths[index].folder
                ? earlier[index].entries[old.index] : ManifestEntry(folder: paths[index].folder, name: name)
            entry.listing = listing
            paths[index].entries.append(entry)
            queue.append(entry)
        }
        guard end == names.count else {
            phase = .adding(path: index, names: names, next: end)
            return
        }
        phase = .opening(path: index + 1)
    }

    /// Contents of removed files cannot be used any more.
    func withdrawRemoved(from start: Int) {
        let end = min(removed.count, start + Self.namesAtOnce)
        for entry in removed[start..<end] { withdraw(entry) }
        phase = end == removed.count ? .reading(next: 0) : .withdrawing(next: end)
    }

    // MARK: Those that were named

    /// Begins with the names of the next path.
    func gatherNext() {
        sorter = NameSorter()
        phase = named.popLast().map { .gathering(path: $0.path, names: $0.names, next: 0) } ?? .reading(next: 0)
    }

    func gather(_ names: [String], from start: Int, of index: Int) {
        let end = min(names.count, start + Self.namesAtOnce)
        sorter.add(names[start..<end].filter(ManifestPath.isManifest))
        phase = end == names.count ? .ordering(path: index) : .gathering(path: index, names: names, next: end)
    }

    /// Queues the files of these names, known or new.
    func note(_ names: [String], from start: Int, of index: Int) {
        let end = min(names.count, start + Self.filesAtOnce)
        for name in names[start..<end] { note(name, of: index) }
        guard end == names.count else {
            phase = .noting(path: index, names: names, next: end)
            return
        }
        paths[index].fault = nil
        gatherNext()
    }

    private func note(_ name: String, of index: Int) {
        let key = paths[index].realFolder + "/" + name
        guard owners[key] == nil || owners[key] == index else { return }
        let place = paths[index].place(of: name)
        guard !place.isThere else { return note(paths[index].entries[place.index], at: place.index, of: index) }
        let entry = ManifestEntry(folder: paths[index].folder, name: name)
        guard entry.isThere else { return }
        owners[key] = index
        entry.listing = listing
        paths[index].entries.insert(entry, at: place.index)
        queue.append(entry)
    }

    private func note(_ entry: ManifestEntry, at place: Int, of index: Int) {
        guard !entry.isThere else {
            queue.append(entry)
            return
        }
        paths[index].entries.remove(at: place)
        owners[paths[index].realFolder + "/" + entry.name] = nil
        if !entry.claims.isEmpty { mustCheck = true }
        entry.listing = 0
        withdraw(entry)
        removed.append(entry)
    }

    // MARK: One of them

    func read(_ entry: ManifestEntry) {
        let claims = entry.claims
        (entry.result, entry.unreadable, entry.mark, entry.isDirty) = (nil, nil, nil, true)
        filesRead += 1
        let real = FileSystem.realPath(entry.folder) ?? entry.folder
        if let draft, draft.path == entry.path {
            entry.result = ManifestDecoder.decode(
                bytes: draft.bytes, path: entry.path, folder: real, profile: profile)
            mustCheck = true
            return
        }
        do throws(TrustFault) {
            let file = try TrustedFile.open(entry.name, in: entry.folder)
            do throws(SystemError) {
                let bytes = try FileSystem.read(file, limit: ManifestLimits.fileBytes, naming: entry.path)
                entry.mark = ManifestVersion.mark(of: bytes)
                entry.result = ManifestDecoder.decode(bytes: bytes, path: entry.path, folder: real, profile: profile)
            } catch {
                let reason = error.code == .EFBIG ? "it is longer than \(ManifestLimits.fileBytes) bytes" : "\(error)"
                entry.unreadable =
                    "the manifest cannot be read; \(entry.path): \(reason); make it readable and shorter"
            }
        } catch {
            entry.unreadable = "the manifest is not used; \(entry.path): \(error.sentence)"
        }
        if entry.claims != claims { mustCheck = true }
    }
}
