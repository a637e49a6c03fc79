import CNames
import Glibc

/// What the names that the manifest grants stand for: getaddrinfo answers with it.
enum GrantedNames {
    /// Without memory for it the former list stays.
    static func set(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        let copies = lines.map { UnsafePointer(strdup($0)) }.filter { $0 != nil }
        defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
        _ = cnames_set(copies, copies.count)
    }
}
