extension Schema {
    /// The ends that the host made of applications' processes, and when runs stood still.
    ///
    /// `assertions` is text (`AssertionPacking`). A run that has pauses has a `frozen`, so that those without are read
    /// without a look for them.
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
