import CLinux
import Glibc

/// Finds the real place of the paths that a manifest grants, so that no plugin can widen them.
///
/// A plugin owns the files in its writable folders. If a granted path were followed through one of them, the plugin could
/// put a symbolic link there and have a worker granted the link's target: its own next worker, or another application's. So
/// the path of a grant ends where it enters a folder that this worker may write: the rule for that folder covers the grant.
/// In folders that others may write no link is followed; elsewhere plugins cannot place links.
package struct GrantResolver {
    /// The kind of file at a path, without following a last link.
    package enum Entry: Equatable {
        case link(String)
        case other
        case absent(Int32)
    }

    /// Facts about a granted path for the user.
    package enum Finding: Equatable {
        /// Nothing is granted: the path leads nowhere, for this errno.
        case absent(Int32)
        /// Nothing is granted: the way leads over a link in a folder that another application may write.
        case untrusted(link: String)
        /// It is a link, and grants this place.
        case link(to: String)
    }

    /// How entries are read; tests supply a table.
    package var entry: (String) -> Entry = GrantResolver.systemEntry
    /// Whether a path exists and no part of it is a link: one call instead of one for each part.
    package var isFreeOfLinks: (String) -> Bool = GrantResolver.systemIsFreeOfLinks
    /// Folders that some application may write.
    package var foreign: Set<String> = []

    private enum Outcome {
        /// Where it really is; no part of it is a link.
        case place(String, isLink: Bool)
        case covered
        case nowhere(Finding)
    }

    /// As the kernel's own limit (path_resolution(7)).
    private static let maximumLinks = 40

    package init(foreign: Set<String> = []) { self.foreign = foreign }

    package init(entry: @escaping (String) -> Entry, isFreeOfLinks: @escaping (String) -> Bool) {
        self.entry = entry
        self.isFreeOfLinks = isFreeOfLinks
    }

    /// The places of writable and readable grants, each once.
    ///
    /// - Parameter mention: called for each path that is skipped or is a link.
    package func places(
        write: [String], read: [String], mention: (String, Finding) -> Void
    ) -> (write: [String], read: [String]) {
        // All writable places have to be known before any grant is followed. A place in this list that a planted link
        // led to only makes the result smaller.
        let wanted = write.map(Self.normalized)
        var roots = wanted
        for place in realPlaces(of: wanted) where !roots.contains(place) { roots.append(place) }
        var writable: [String] = []
        for path in wanted { collect(path, outside: roots, into: &writable, mention) }
        var readable: [String] = []
        for path in read { collect(Self.normalized(path), outside: roots, into: &readable, mention) }
        return (writable, readable.filter { !writable.contains($0) })
    }

    /// Where paths really lead; those that lead nowhere are left out.
    package func realPlaces(of paths: [String]) -> [String] {
        paths.compactMap { path in
            guard case .place(let place, _) = locate(path, outside: []) else { return nil }
            return place
        }
    }

    /// Facts about one path for the user; nil when there is nothing special.
    package func finding(at path: String) -> Finding? {
        switch locate(Self.normalized(path), outside: []) {
        case .place(let place, let isLink): isLink ? .link(to: place) : nil
        case .covered: nil
        case .nowhere(let finding): finding
        }
    }

    private func collect(
        _ path: String, outside roots: [String], into places: inout [String], _ mention: (String, Finding) -> Void
    ) {
        switch locate(path, outside: roots) {
        case .place(let place, let isLink):
            if isLink { mention(path, .link(to: place)) }
            if !places.contains(place) { places.append(place) }
        case .covered: break
        case .nowhere(let finding): mention(path, finding)
        }
    }

    private func locate(_ path: String, outside roots: [String]) -> Outcome {
        guard isFreeOfLinks(path) else { return walk(path, outside: roots) }
        return roots.contains { path != $0 && Self.lies(path, in: $0) } ? .covered : .place(path, isLink: false)
    }

    /// Follows `path` part by part. Every part before a link has been resolved, so `..` is unambiguous.
    private func walk(_ path: String, outside roots: [String]) -> Outcome {
        var place: [Substring] = []
        var ahead = Array(path.split(separator: "/").reversed())
        var links = 0
        var isLink = false
        while let part = ahead.popLast() {
            if part == "." { continue }
            if part == ".." {
                _ = place.popLast()
                continue
            }
            let here = "/" + (place + [part]).joined(separator: "/")
            switch entry(here) {
            case .absent(let code): return .nowhere(.absent(code))
            case .other: place.append(part)
            case .link(let target):
                guard !isForeign(place) else { return .nowhere(.untrusted(link: here)) }
                links += 1
                guard links <= Self.maximumLinks else { return .nowhere(.absent(ELOOP)) }
                isLink = isLink || ahead.isEmpty
                if target.hasPrefix("/") { place = [] }
                ahead += target.split(separator: "/").reversed()
                continue
            }
            if !ahead.isEmpty && roots.contains(here) { return .covered }
        }
        return .place("/" + place.joined(separator: "/"), isLink: isLink)
    }

    /// Whether others may place links in a folder: it, or one above it, is writable.
    private func isForeign(_ folder: [Substring]) -> Bool {
        guard !foreign.isEmpty else { return false }
        var path = ""
        if foreign.contains("/") { return true }
        for part in folder {
            path += "/" + part
            if foreign.contains(path) { return true }
        }
        return false
    }

    /// Without empty parts and `.`; `..` is removed together with the part before it, as the host has already done.
    package static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    package static func lies(_ path: String, in folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix(folder + "/")
    }

    private static func systemEntry(_ path: String) -> Entry {
        unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return .absent(ENOMEM) }
            let length = unsafe clinux_readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
            if length == -EINVAL { return .other }
            guard length >= 0 else { return .absent(-length) }
            return unsafe .link(String(decoding: buffer.prefix(Int(length)), as: UTF8.self))
        }
    }

    private static func systemIsFreeOfLinks(_ path: String) -> Bool {
        let descriptor = unsafe clinux_open_path_without_links(path)
        guard descriptor >= 0 else { return false }
        _ = close(descriptor)  // Linux has freed the number whatever close says (close(2))
        return true
    }
}
