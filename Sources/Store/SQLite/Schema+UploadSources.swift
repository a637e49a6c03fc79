extension Schema {
    /// The file of an upload, as its first attempt found it. Uploads of earlier hosts learn it with their next one.
    static let uploadSources = """
        ALTER TABLE transfers ADD COLUMN source_size INTEGER;
        ALTER TABLE transfers ADD COLUMN source_modified INTEGER;
        ALTER TABLE transfers ADD COLUMN source_inode INTEGER;
        """
}
