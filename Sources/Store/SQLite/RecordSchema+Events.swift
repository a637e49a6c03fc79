extension RecordSchema {
    /// What applications are called for: the interval of their fetches (none: never), how many in a row were not answered, and
    /// when they were notified last (newest first, eight bytes each).
    static let events = """
        ALTER TABLE applications ADD COLUMN fetch_interval INTEGER;
        ALTER TABLE applications ADD COLUMN fetches_unanswered INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE applications ADD COLUMN notified BLOB;
        """
}
