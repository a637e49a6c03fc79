extension RecordSchema {
    /// When each part of a run's output came, and on which stream (`LogStream`); NULL in those of earlier versions.
    static let logMarks = """
        ALTER TABLE output ADD COLUMN at INTEGER;
        ALTER TABLE output ADD COLUMN stream INTEGER;
        """
}
