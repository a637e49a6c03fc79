extension RecordSchema {
    /// Ends of claims that a fleet has not acknowledged (`UntoldEnd`), by host and token. Without `attempt` the request is done
    /// with; otherwise no host gets it before `free`. `shared_time` is the last time of a task's schedule that the fleet has.
    static let fleet = """
        CREATE TABLE untold_ends (
            host INTEGER NOT NULL,
            request BLOB NOT NULL,
            number INTEGER NOT NULL,
            run BLOB NOT NULL,
            outcome INTEGER NOT NULL,
            attempt INTEGER,
            failures INTEGER,
            deferrals INTEGER,
            free INTEGER,
            PRIMARY KEY (host, request, number)
        ) WITHOUT ROWID;
        ALTER TABLE tasks ADD COLUMN shared_time INTEGER;
        """
}
