extension RecordSchema {
    /// The manifests that hosts found, version by version (`ManifestVersion`).
    static let manifests = """
        CREATE TABLE manifests (
            seq INTEGER PRIMARY KEY,
            host INTEGER NOT NULL,
            path TEXT NOT NULL,
            at INTEGER NOT NULL,
            mark INTEGER,
            text BLOB
        );
        CREATE INDEX manifests_path ON manifests (host, path);
        """
}
