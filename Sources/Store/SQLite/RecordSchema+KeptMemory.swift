extension RecordSchema {
    /// What earlier runs had left in a run's process at its start.
    static let keptMemory = "ALTER TABLE runs ADD COLUMN kept INTEGER"
}
