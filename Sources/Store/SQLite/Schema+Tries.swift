extension Schema {
    /// How many tries of a request have failed is counted, for starts say nothing of it: a host that stops ends runs too.
    /// Requests of earlier hosts have the best guess. And a schedule's request names the time that a person left out before it.
    static let tries = """
        ALTER TABLE requests ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE requests ADD COLUMN left_out INTEGER;
        UPDATE requests SET failures = max(0, attempt - 1);
        """
}
