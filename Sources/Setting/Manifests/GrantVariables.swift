/// The variables for folders in the grants of manifests.
package enum GrantVariables {
    /// Replaces a name at the start of the path.
    package static func expand(_ path: String, _ variables: [(String, String)]) -> String {
        for (name, value) in variables where path == name || path.hasPrefix(name + "/") {
            return value + path.dropFirst(name.count)
        }
        return path
    }
}
