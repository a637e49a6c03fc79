extension RecordSchema {
    /// The file of an upload, as its first attempt found it. Uploads of earlier hosts get it with their next attempt.
    static let uploadSources = """
        ALTER TABLE transfers ADD COLUMN source_size INTEGER;
        ALTER TABLE transfers ADD COLUMN source_modified INTEGER;
        ALTER TABLE transfers ADD COLUMN source_inode INTEGER;
        """
}
