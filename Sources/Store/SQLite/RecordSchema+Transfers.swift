extension RecordSchema {
    /// Background sessions, and their transfers.
    ///
    /// `AUTOINCREMENT` remembers the highest number ever given. A transfer has its application's and its session's
    /// identifier itself, so that it can be listed when the session is gone. `place` is the part of the URL that may be
    /// shown; `url` exists only while it contains more. `told` marks the delivered ones; no index changes while a transfer
    /// is in progress.
    static let transfers = """
        CREATE TABLE sessions (
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
            UNIQUE (application, identifier)
        );
        CREATE TABLE transfers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session INTEGER NOT NULL,
            application TEXT NOT NULL,
            session_name TEXT NOT NULL,
            number INTEGER NOT NULL,
            created INTEGER NOT NULL,
            state INTEGER NOT NULL,
            told INTEGER NOT NULL,
            taken INTEGER NOT NULL,
            held INTEGER NOT NULL DEFAULT 0,
            background INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            place TEXT NOT NULL,
            method TEXT NOT NULL,
            file TEXT,
            earliest INTEGER,
            timeout INTEGER,
            priority REAL NOT NULL,
            expensive INTEGER NOT NULL,
            constrained INTEGER NOT NULL,
            expected_send INTEGER,
            expected_receive INTEGER,
            sha256 BLOB,
            url TEXT,
            headers BLOB,
            text TEXT,
            resume BLOB,
            attempts INTEGER NOT NULL,
            received INTEGER NOT NULL,
            sent INTEGER NOT NULL,
            durable INTEGER NOT NULL,
            total INTEGER,
            validator TEXT,
            upload_location TEXT,
            last_url TEXT,
            status INTEGER NOT NULL,
            address TEXT,
            fault TEXT,
            next_try INTEGER,
            ended INTEGER,
            ended_order INTEGER,
            error INTEGER,
            cancel_reason INTEGER,
            sentence TEXT,
            end_status INTEGER,
            end_url TEXT,
            end_headers BLOB,
            end_received INTEGER,
            end_sent INTEGER,
            end_file TEXT,
            end_resume BLOB
        );
        CREATE INDEX transfers_told ON transfers (told);
        """
}
