extension RecordSchema {
    /// The number of failed tries of a request, which starts do not show: a host that stops ends runs too. Requests of
    /// earlier hosts get the best guess. A schedule's request also has the time that the user skipped before it.
    static let tries = """
        ALTER TABLE requests ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE requests ADD COLUMN left_out INTEGER;
        UPDATE requests SET failures = max(0, attempt - 1);
        """
}
