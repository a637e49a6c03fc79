import Glibc

/// Variables that the zygote declares before it knows their values. CoreFoundation stores the addresses of some variables'
/// values when it is loaded, which is usually here; a worker writes its own values to the same addresses, as putenv(3)
/// allows.
struct EarlyVariables {
    /// Those by which Foundation finds an application's folders.
    private static let names = [
        "HOME", "CFFIXED_USER_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
    ]
    /// Bytes of `NAME=value` with its end. Longer ones are variables like all others, which CoreFoundation does not see.
    private static let room = 640

    /// Made in the zygote; a worker takes it over.
    nonisolated(unsafe) private static var places: [UnsafeMutablePointer<CChar>] = unsafe []

    /// Before anything is loaded that reads them.
    static func declare() {
        // Together: a worker that writes them touches few pages.
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: room * names.count)
        unsafe memory.initialize(repeating: 0, count: room * names.count)
        unsafe places = names.enumerated().map { index, name in
            let place = unsafe memory + index * room
            unsafe strcpy(place, name + "=")
            unsafe putenv(place)
            return unsafe place
        }
    }

    /// Sets a variable where it was declared. Allocates nothing.
    ///
    /// - Parameter text: `NAME=value`.
    /// - Returns: nil when it was not, or is too long.
    static func put(_ text: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? {
        guard let equals = unsafe strchr(text, 0x3D) else { return nil }
        let length = unsafe strlen(text) + 1
        let name = unsafe equals - UnsafeMutablePointer(mutating: text) + 1
        for index in unsafe places.indices {
            let place = unsafe places[index]
            guard length <= room, unsafe strncmp(place, text, name) == 0 else { continue }
            unsafe memcpy(place, text, length)
            return unsafe place
        }
        return nil
    }
}
