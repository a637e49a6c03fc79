import Glibc
import Linux
import Manifests

// Which manifest files there are, and what stands in them.
extension ManifestReader {
    /// Names that one step lists or adds.
    private static let namesAtOnce = 256

    // MARK: All of them

    func open(_ index: Int) {
        guard index < paths.count else {
            for old in earlier { removed += old.entries.filter { $0.listing != listing } }
            for entry in removed { withdraw(entry) }
            phase = .reading(next: 0)
            return
        }
        var place = ManifestPath(paths[index].path)
        sorter = NameSorter()
        do throws(SystemError) {
            if try FileSystem.followedFacts(of: place.path).isFolder {
                phase = .listing(path: index, try FolderListing(place.path))
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

    func list(_ index: Int, _ listing: FolderListing) {
        let names = listing.next(Self.namesAtOnce)
        sorter.add(names.filter(ManifestPath.isManifest))
        if names.isEmpty { phase = .sorting(path: index) }
    }

    func add(_ names: [String], from start: Int, to index: Int) {
        let end = min(names.count, start + Self.namesAtOnce)
        for name in names[start..<end] {
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
        if names.isEmpty { paths[index].noteEmptiness() }
        phase = .opening(path: index + 1)
    }

    // MARK: Those that were named

    /// Queues the files of these names, known or new.
    func note(_ names: [Int: Set<String>]) {
        for (index, names) in names.sorted(by: { $0.key < $1.key }) {
            for name in names.sorted() where ManifestPath.isManifest(name) {
                let key = paths[index].realFolder + "/" + name
                guard owners[key] == nil || owners[key] == index else { continue }
                let place = paths[index].place(of: name)
                if place.isThere {
                    note(paths[index].entries[place.index], at: place.index, of: index)
                } else {
                    let entry = ManifestEntry(folder: paths[index].folder, name: name)
                    guard entry.isThere else { continue }
                    owners[key] = index
                    entry.listing = listing
                    paths[index].entries.insert(entry, at: place.index)
                    queue.append(entry)
                }
            }
            paths[index].noteEmptiness()
        }
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
        (entry.result, entry.unreadable, entry.isDirty) = (nil, nil, true)
        filesRead += 1
        do throws(TrustFault) {
            let real = FileSystem.realPath(entry.folder) ?? entry.folder
            let file = try TrustedFile.open(entry.name, in: entry.folder)
            do throws(SystemError) {
                let bytes = try FileSystem.read(file, limit: ManifestLimits.fileBytes, naming: entry.path)
                entry.result = ManifestDecoder.decode(bytes: bytes, path: entry.path, folder: real, profile: profile)
            } catch {
                let reason = error.code == EFBIG ? "it is longer than \(ManifestLimits.fileBytes) bytes" : "\(error)"
                entry.unreadable =
                    "the manifest cannot be read; \(entry.path): \(reason); make it readable and shorter"
            }
        } catch {
            entry.unreadable = "the manifest is not used; \(entry.path): \(error.sentence)"
        }
        if entry.claims != claims { mustCheck = true }
    }
}
