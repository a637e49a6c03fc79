/// What a person says in the manifest's `settings`, or with `--settings`.
///
/// ```json
/// {"folder": "/usr/share/doc", "maximumFiles": 10000}
/// ```
struct Settings {
    /// The folder to read, an absolute path without a slash at its end. `$STATE`, `$CACHE` and `$MANIFEST` may begin it.
    var folder: [UInt8]
    /// How many files one run reads before it leaves the rest to the next one; nil: as many as there are.
    var maximumFiles: Int64?

    /// Reads the settings with SQLite's JSON functions, which save a parser of our own.
    init(_ run: Run) throws(Failure) {
        let database = try Database(path: Array(":memory:".utf8))
        let check = try database.prepare("SELECT json_valid(?1)")
        let json = run.settings
        check.bind(1, json)
        guard try check.step(), check.integer(0) == 1 else { throw Failure(message: "settings: not valid JSON") }

        let values = try database.prepare(
            """
            SELECT json_extract(?1, '$.folder'), json_type(?1, '$.folder'),
                   json_extract(?1, '$.maximumFiles'), json_type(?1, '$.maximumFiles')
            """)
        values.bind(1, json)
        guard try values.step(), values.text(1) == "text" else {
            throw Failure(message: "settings: \"folder\" is missing; give the path of a folder to read")
        }
        folder = run.expand(values.bytes(0))
        while folder.count > 1, folder.last == UInt8(ascii: "/") { folder.removeLast() }
        guard folder.first == UInt8(ascii: "/"), !folder.contains(0) else {
            throw Failure(message: "settings: \"folder\" is \(display(folder)); give an absolute path")
        }
        if !values.isNull(3) {
            let limit = values.integer(2)
            guard values.text(3) == "integer", limit > 0 else {
                throw Failure(message: "settings: \"maximumFiles\" must be a whole number above zero")
            }
            maximumFiles = limit
        }
    }
}
