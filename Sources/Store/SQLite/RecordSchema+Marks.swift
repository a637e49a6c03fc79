extension RecordSchema {
    /// What was noted of a run beside its outcome (`MarksPacking`), and an index for those few. NULL for the others, which write
    /// nothing for it.
    static let marks = """
        ALTER TABLE runs ADD COLUMN marks INTEGER;
        ALTER TABLE runs ADD COLUMN differences TEXT;
        CREATE INDEX runs_marked ON runs (marks) WHERE marks IS NOT NULL;
        """
}
