extension RecordSchema {
    /// The host's terminations of applications' processes, and suspensions of runs.
    ///
    /// `assertions` is text (`AssertionPacking`). A run with pauses has a `frozen`, so that the others need no look-up.
    static let terminations = """
        CREATE TABLE terminations (
            seq INTEGER PRIMARY KEY,
            application TEXT NOT NULL,
            at INTEGER NOT NULL,
            reason INTEGER NOT NULL,
            callback INTEGER,
            took INTEGER,
            suspended INTEGER NOT NULL,
            assertion_count INTEGER NOT NULL,
            assertions TEXT
        );
        CREATE INDEX terminations_application ON terminations (application);
        CREATE TABLE pauses (
            run INTEGER NOT NULL,
            start INTEGER NOT NULL,
            stop INTEGER,
            PRIMARY KEY (run, start)
        ) WITHOUT ROWID;
        ALTER TABLE runs ADD COLUMN frozen INTEGER;
        """
}
