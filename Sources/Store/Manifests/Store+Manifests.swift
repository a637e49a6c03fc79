package import Record
package import TaskModel

// Manifests as hosts found them.
extension Store {
    func addManifest(_ version: ManifestVersion) throws(StoreError) {
        try beginWriting()
        world.addManifest.bind(1, history.host)
        world.addManifest.bind(2, version.path)
        world.addManifest.bind(3, version.at.nanoseconds)
        world.addManifest.bind(4, version.mark)
        if let text = version.text {
            unsafe text.withUnsafeBytes { unsafe world.addManifest.bind(5, copying: $0) }
        } else {
            world.addManifest.bindNull(5)
        }
        try write(world.addManifest)
        world.forgetManifests.bind(1, history.host)
        world.forgetManifests.bind(2, version.path)
        try write(world.forgetManifests)
    }
}

extension History {
    /// The mark of each file's newest version; files that are gone have none.
    package func manifestMarks() throws(StoreError) -> [String: Int64] {
        let row = try Statement(
            database,
            """
            SELECT path, mark FROM manifests WHERE seq IN (SELECT max(seq) FROM manifests WHERE host = ?1 GROUP BY path)
            """, what: "read manifests")
        row.bind(1, host)
        var marks: [String: Int64] = [:]
        while try row.next() { if let path = row.text(0), let mark = row.optionalInteger(1) { marks[path] = mark } }
        return marks
    }

    /// Versions of manifests, newest first.
    package func manifests(before: Int64?, limit: Int) throws(StoreError) -> RowPage<ManifestVersion> {
        let rows = try Statement(
            database,
            "SELECT \(ManifestColumn.list) FROM manifests NOT INDEXED WHERE host = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3",
            what: "read manifests")
        rows.bind(values: host, before ?? .max, Int64(limit))
        return try page(of: rows, "manifests", limit: limit) { Self.manifest($0) }.below(before)
    }

    package func manifest(_ path: String, before moment: Timestamp) throws(StoreError) -> ManifestVersion? {
        let row = try Statement(
            database,
            """
            SELECT \(ManifestColumn.list) FROM manifests WHERE host = ?1 AND path = ?2 AND at < ?3
            ORDER BY seq DESC LIMIT 1
            """, what: "read manifests")
        row.bind(values: host, path, moment)
        return try row.rows { Self.manifest($0) }.first
    }

    private static func manifest(_ row: borrowing Statement) -> ManifestVersion {
        ManifestVersion(
            path: row.text(ManifestColumn.path) ?? "", at: Timestamp(nanoseconds: row.integer(ManifestColumn.at)),
            mark: row.optionalInteger(ManifestColumn.mark),
            text: row.isNull(ManifestColumn.text)
                ? nil : unsafe row.withBytes(ManifestColumn.text) { unsafe [UInt8]($0) })
    }
}

/// Columns of a version of a manifest.
private enum ManifestColumn: Int32, RowColumn {
    case seq, path, at, mark, text
}
