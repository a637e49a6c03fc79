extension RecordSchema {
    /// What a run's handler got, for runs that got something: so that the same can be asked for again. `runs.kind` tells the
    /// runs of which nothing is known. A request may have settings of its own as well.
    static let inputs = """
        CREATE TABLE inputs (seq INTEGER PRIMARY KEY, payload BLOB, settings BLOB);
        ALTER TABLE requests ADD COLUMN settings BLOB;
        """
}
