extension RecordSchema {
    /// How often in a row a request's handler deferred it. `not_before` is then that time.
    static let deferrals = "ALTER TABLE requests ADD COLUMN deferrals INTEGER NOT NULL DEFAULT 0"
}
