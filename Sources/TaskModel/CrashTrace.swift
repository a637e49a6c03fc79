/// The place of a process's crash, innermost call first, as a diagnostic of its run: the process's own report. The host
/// opens none of the files that it names; `taskhost show` looks the places up.
package struct CrashTrace: Sendable, Equatable {
    private static let start = "it says that it was at: "

    package var places: [CodePlace]

    package init(places: [CodePlace]) { self.places = places }

    package var sentence: String { Self.start + places.map(\.word).joined(separator: " ") }

    /// nil: the diagnostic is another one.
    package init?(diagnostic: String) {
        guard diagnostic.utf8.starts(with: Self.start.utf8) else { return nil }
        // By scalars: a file's first character may join the space before it.
        let words = diagnostic.unicodeScalars.dropFirst(Self.start.unicodeScalars.count).split(separator: " ")
        let places = words.compactMap { CodePlace(word: Substring($0)) }
        guard !places.isEmpty, places.count == words.count else { return nil }
        self.places = places
    }
}
