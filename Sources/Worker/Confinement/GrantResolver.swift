import CLinux
import Glibc

/// Finds the real place of the paths that a manifest grants, so that no plugin can widen them.
///
/// A plugin owns what lies in its writable folders. Were a granted path followed through one of them, the plugin could put
/// a symbolic link there and have its next worker granted whatever the link points to. So the way to a grant ends where it
/// enters a writable folder: the rule for that folder covers the grant, and outside of it the plugin can place nothing.
struct GrantResolver {
    /// What lies at a path, without following a last link.
    enum Entry: Equatable {
        case link(String)
        case other
        case absent(Int32)
    }

    /// How entries are read; tests supply a table.
    var entry: (String) -> Entry = GrantResolver.systemEntry
    /// Whether a path exists and no part of it is a link: one call instead of one for each part.
    var isFreeOfLinks: (String) -> Bool = GrantResolver.systemIsFreeOfLinks

    private enum Outcome {
        /// Where it really is; no part of it is a link.
        case place(String)
        case covered
        case absent(Int32)
    }

    /// As the kernel's own limit (path_resolution(7)).
    private static let maximumLinks = 40

    /// The places of writable and readable grants, each once.
    ///
    /// - Parameter mention: called for each path that is left out because it is absent, with the reason's errno.
    func places(write: [String], read: [String], mention: (String, Int32) -> Void) -> (write: [String], read: [String])
    {
        // All writable places have to be known before any grant is followed. A place in this list that a planted link
        // led to makes the result only smaller.
        let wanted = write.map(Self.normalized)
        var roots = wanted
        for path in wanted {
            if case .place(let place) = locate(path, outside: []), !roots.contains(place) { roots.append(place) }
        }
        var writable: [String] = []
        for path in wanted { collect(path, outside: roots, into: &writable, mention) }
        var readable: [String] = []
        for path in read { collect(Self.normalized(path), outside: roots, into: &readable, mention) }
        return (writable, readable.filter { !writable.contains($0) })
    }

    private func collect(
        _ path: String, outside roots: [String], into places: inout [String], _ mention: (String, Int32) -> Void
    ) {
        switch locate(path, outside: roots) {
        case .place(let place): if !places.contains(place) { places.append(place) }
        case .covered: break
        case .absent(let code): mention(path, code)
        }
    }

    private func locate(_ path: String, outside roots: [String]) -> Outcome {
        guard isFreeOfLinks(path) else { return walk(path, outside: roots) }
        return roots.contains { path != $0 && Self.lies(path, in: $0) } ? .covered : .place(path)
    }

    /// Follows `path` part by part. Every part before a link has been resolved, so `..` means what it says.
    private func walk(_ path: String, outside roots: [String]) -> Outcome {
        var place: [Substring] = []
        var ahead = Array(path.split(separator: "/").reversed())
        var links = 0
        while let part = ahead.popLast() {
            if part == "." { continue }
            if part == ".." {
                _ = place.popLast()
                continue
            }
            let here = "/" + (place + [part]).joined(separator: "/")
            switch entry(here) {
            case .absent(let code): return .absent(code)
            case .other: place.append(part)
            case .link(let target):
                links += 1
                guard links <= Self.maximumLinks else { return .absent(ELOOP) }
                if target.hasPrefix("/") { place = [] }
                ahead += target.split(separator: "/").reversed()
                continue
            }
            if !ahead.isEmpty && roots.contains(here) { return .covered }
        }
        return .place("/" + place.joined(separator: "/"))
    }

    /// Without empty parts and `.`; `..` is left out with the part before it, as the host has already done.
    static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    static func lies(_ path: String, in folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix(folder + "/")
    }

    private static func systemEntry(_ path: String) -> Entry {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return .absent(ENOMEM) }
            let length = clinux_readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
            if length == -EINVAL { return .other }
            guard length >= 0 else { return .absent(-length) }
            return .link(String(decoding: buffer.prefix(Int(length)), as: UTF8.self))
        }
    }

    private static func systemIsFreeOfLinks(_ path: String) -> Bool {
        let descriptor = clinux_open_path_without_links(path)
        guard descriptor >= 0 else { return false }
        _ = close(descriptor)  // Linux has freed the number whatever close says (close(2))
        return true
    }
}
