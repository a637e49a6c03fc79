extension RecordSchema {
    /// Hosts by number; the first is the one that made the record, or had it before hosts had ids.
    ///
    /// A task's row is one host's: its runs refer to it, and its requests have its number, so both are of that host, and two hosts
    /// with a task of one name have a request each. A session has its host itself. SQLite cannot widen a constraint, so both tables,
    /// which are small, are written again; `sqlite_sequence` keeps the highest number that a session ever had.
    static let hosts = """
        CREATE TABLE hosts (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE);
        INSERT INTO hosts VALUES (1, randomblob(16));

        CREATE TABLE new_tasks (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL,
            application TEXT NOT NULL,
            marks BLOB,
            host INTEGER NOT NULL DEFAULT 1 REFERENCES hosts,
            UNIQUE (identifier, application, host)
        );
        INSERT INTO new_tasks (id, identifier, application, marks) SELECT id, identifier, application, marks FROM tasks;
        DROP TABLE tasks;
        ALTER TABLE new_tasks RENAME TO tasks;
        CREATE INDEX tasks_application ON tasks (application);

        CREATE TABLE new_sessions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            application TEXT NOT NULL,
            identifier TEXT NOT NULL,
            next INTEGER NOT NULL,
            handling INTEGER NOT NULL,
            discretionary INTEGER NOT NULL,
            launches INTEGER NOT NULL,
            expensive INTEGER NOT NULL,
            constrained INTEGER NOT NULL,
            request_timeout INTEGER NOT NULL,
            resource_timeout INTEGER NOT NULL,
            connections INTEGER NOT NULL,
            proxy TEXT,
            host INTEGER NOT NULL DEFAULT 1 REFERENCES hosts,
            UNIQUE (application, identifier, host)
        );
        INSERT INTO new_sessions SELECT *, 1 FROM sessions;
        DELETE FROM sqlite_sequence WHERE name = 'new_sessions';
        INSERT INTO sqlite_sequence SELECT 'new_sessions', seq FROM sqlite_sequence WHERE name = 'sessions';
        DROP TABLE sessions;
        ALTER TABLE new_sessions RENAME TO sessions;
        """
}
