extension Schema {
    /// How often in a row a request's handler asked for another time. Then `not_before` is that time.
    static let deferrals = "ALTER TABLE requests ADD COLUMN deferrals INTEGER NOT NULL DEFAULT 0"
}
