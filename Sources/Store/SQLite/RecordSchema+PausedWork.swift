extension RecordSchema {
    /// Work that the user holds back (`PausedWork`, `WorkPause`), by level and name.
    static let pausedWork = """
        CREATE TABLE paused_work (
            level INTEGER NOT NULL,
            name TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER,
            PRIMARY KEY (level, name)
        ) WITHOUT ROWID;
        """
}
