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

    /// The files that differ from what they were at a moment: the newest version of each, and the last one before.
    ///
    /// - Parameter limit: files at most, the last ones to change.
    package func changedManifests(
        since moment: Timestamp, limit: Int
    ) throws(StoreError) -> [(before: ManifestVersion?, now: ManifestVersion)] {
        let newest = try Statement(
            database,
            """
            SELECT \(ManifestColumn.list) FROM manifests WHERE host = ?1 AND at >= ?2
            AND seq IN (SELECT max(seq) FROM manifests WHERE host = ?1 GROUP BY path) ORDER BY seq DESC LIMIT ?3
            """, what: "read manifests")
        newest.bind(values: host, moment, Int64(limit))
        let earlier = try Statement(
            database,
            """
            SELECT \(ManifestColumn.list) FROM manifests WHERE host = ?1 AND path = ?2 AND at < ?3
            ORDER BY seq DESC LIMIT 1
            """, what: "read manifests")
        var changes: [(before: ManifestVersion?, now: ManifestVersion)] = []
        for now in try newest.rows({ Self.manifest($0) }) {
            earlier.bind(values: host, now.path, moment)
            let before = try earlier.rows { Self.manifest($0) }.first
            // Changed and changed back, or there for a while alone.
            if before?.mark != now.mark { changes.append((before, now)) }
        }
        return changes
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
    case path, at, mark, text
}
