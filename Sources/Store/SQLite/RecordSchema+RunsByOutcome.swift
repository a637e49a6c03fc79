extension RecordSchema {
    /// What kind of task a run was of, and an index for the runs that did not succeed: few among many, and a run that succeeds
    /// writes nothing to it.
    static let runsByOutcome = """
        ALTER TABLE runs ADD COLUMN kind INTEGER;
        CREATE INDEX runs_failed ON runs (outcome) WHERE outcome > 1;
        """
}
