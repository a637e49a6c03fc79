-- Version 2 of the schema of a fleet: what people see, and manifests that are rolled out. It is run on version 1, in one transaction
-- with it or later.

DO $$
BEGIN
    -- Whoever migrates at the same time waits here, and then finds it done.
    IF (SELECT version FROM taskhost.meta FOR UPDATE) <> 1 THEN
        RAISE EXCEPTION USING MESSAGE = 'another one has migrated it meanwhile';
    END IF;
END
$$;

CREATE OR REPLACE VIEW taskhost.requests AS
SELECT r.key, r.identifier,
    -- As taskhost.state_of, which readers may not call.
    CASE
        WHEN r.ended IS NOT NULL THEN 'ended' WHEN r.leased THEN 'leased' WHEN r.quarantined THEN 'quarantined' ELSE 'waiting'
    END AS state,
    r.priority, q.labels, r.dedupe, r.submitted, r.submitted_by, r.free, r.number, r.losses,
    r.attempt, r.failures, r.deferrals, h.name AS host, r.claimed, r.ended, r.outcome, r.details,
    octet_length(r.payload) AS payload_bytes, r.leased
FROM taskhost.request r LEFT JOIN taskhost.queue q ON q.id = r.queue LEFT JOIN taskhost.host h ON h.id = r.holder;

CREATE FUNCTION taskhost.oldest(identifiers text[]) RETURNS TABLE (identifier text, since timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
    SELECT q.identifier, min(waiting.since)
    FROM taskhost.queue q CROSS JOIN LATERAL (
        -- The first of each priority: keys begin with the time of submission.
        WITH RECURSIVE heads AS (
            (SELECT r.line, greatest(r.submitted, r.free) AS since FROM taskhost.request r
             WHERE r.queue = q.id AND r.ready ORDER BY r.line, r.key LIMIT 1)
            UNION ALL
            SELECT next.line, next.since FROM heads h CROSS JOIN LATERAL (
                SELECT r.line, greatest(r.submitted, r.free) AS since FROM taskhost.request r
                WHERE r.queue = q.id AND r.ready AND r.line > h.line ORDER BY r.line, r.key LIMIT 1) next)
        (SELECT h.since FROM heads h LIMIT 100)
        UNION ALL
        -- What no claim has put in line yet, the lease of a silent host too.
        (SELECT greatest(r.submitted, r.free) FROM taskhost.request r
         WHERE r.queue = q.id AND r.later AND r.free <= statement_timestamp() ORDER BY r.free LIMIT 1)) waiting
    WHERE q.identifier = ANY (oldest.identifiers) GROUP BY q.identifier
$$;
COMMENT ON FUNCTION taskhost.oldest IS
    'Since when the oldest request waits to be claimed, of each of these identifiers that has one: of a hundred priorities.';
REVOKE EXECUTE ON FUNCTION taskhost.oldest FROM PUBLIC;
GRANT EXECUTE ON FUNCTION taskhost.oldest TO taskhost_reader, taskhost_host;

-- Without statistics the server would read all hosts with each request.
ALTER FUNCTION taskhost.wake_at_commit() SET enable_seqscan = off;

-- Drains --------------------------------------------------------------------------------------------------------------------
-- A host that starts while it is told to drain drains. Otherwise as in version 1. (Claims have their form of version 3.)

CREATE OR REPLACE FUNCTION taskhost.drain(name text, "on" boolean) RETURNS int
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    changed int;
BEGIN
    -- A host of the name that joins meanwhile takes over what is said here, or is said to have it.
    PERFORM pg_advisory_xact_lock(hashtextextended('taskhost.join ' || drain.name, 0));
    UPDATE taskhost.host h SET draining = coalesce(drain."on", true) WHERE h.name = drain.name;
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF NOT "on" THEN PERFORM taskhost.wake(); END IF;
    RETURN changed;
END
$$;

-- Rollouts ------------------------------------------------------------------------------------------------------------------
-- Who may roll manifests out decides what programs run on the hosts that take them. It is a role of its own, taskhost_operator,
-- and a host takes manifests only if its own configuration says so.

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'taskhost_operator') THEN RETURN; END IF;
    CREATE ROLE taskhost_operator NOLOGIN;
EXCEPTION
    -- Another database of this server is being prepared at the same time.
    WHEN duplicate_object OR unique_violation THEN NULL;
    WHEN insufficient_privilege THEN
        RAISE EXCEPTION USING ERRCODE = 'TH005', MESSAGE = pg_catalog.format(
            'The role taskhost_operator is missing and %s may not create it; the schema taskhost of %s; have a superuser run '
                'CREATE ROLE taskhost_operator, or use a role with CREATEROLE', current_user, pg_catalog.current_database());
END
$$;

ALTER TABLE taskhost.meta ADD COLUMN rollouts bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN taskhost.meta.rollouts IS 'Grows with each change of a rollout: hosts look when it is another than before.';
COMMENT ON TABLE taskhost.meta IS 'One row: the version of this schema, and the number of changes of rollouts.';

CREATE TABLE taskhost.rollout (
    application text COLLATE "C" PRIMARY KEY,
    settled text,
    coming text,
    percent smallint NOT NULL,
    changed timestamptz NOT NULL,
    changed_by name NOT NULL
);
COMMENT ON TABLE taskhost.rollout IS 'Manifests for the hosts that take them, one row an application.';
COMMENT ON COLUMN taskhost.rollout.settled IS 'The manifest of all hosts that do not have the coming one; NULL: they have none.';
COMMENT ON COLUMN taskhost.rollout.coming IS 'The manifest that is being rolled out; NULL: all have the settled one.';
COMMENT ON COLUMN taskhost.rollout.percent IS 'Of the hosts, those that have the coming one: one at least.';

CREATE FUNCTION taskhost.note_rollout() RETURNS void
LANGUAGE sql VOLATILE AS $$
    UPDATE taskhost.meta SET rollouts = rollouts + 1
$$;
COMMENT ON FUNCTION taskhost.note_rollout IS 'Hosts are to look at the rollouts again.';

CREATE FUNCTION taskhost.roll_out(application text, manifest text, percent int) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    old taskhost.rollout;
    next text;
BEGIN
    IF (octet_length(roll_out.application) BETWEEN 1 AND 255) IS NOT TRUE THEN
        PERFORM taskhost.refuse_value('An application''s identifier is missing or too long', 'pass 1 to 255 bytes');
    END IF;
    IF octet_length(roll_out.manifest) > 262144 THEN
        PERFORM taskhost.refuse_value('A manifest has more than 256 KiB', 'say less, or put it onto the hosts by hand');
    END IF;
    IF (roll_out.percent BETWEEN 0 AND 100) IS NOT TRUE THEN
        PERFORM taskhost.refuse_value('A percentage is out of bounds', 'pass 0 to 100');
    END IF;
    SELECT * INTO old FROM taskhost.rollout r WHERE r.application = roll_out.application FOR UPDATE;
    next := coalesce(roll_out.manifest, old.coming);
    IF next IS NULL THEN
        PERFORM taskhost.refuse_value(
            format('No manifest of %s is being rolled out', roll_out.application), 'begin with a manifest''s file');
    END IF;
    IF old.application IS NULL AND (SELECT count(*) >= 256 FROM taskhost.rollout) THEN
        PERFORM taskhost.refuse_value('256 applications are rolled out already', 'withdraw one of them');
    END IF;
    IF roll_out.percent = 0 AND old.settled IS NULL THEN
        DELETE FROM taskhost.rollout r WHERE r.application = roll_out.application;
    ELSE
        INSERT INTO taskhost.rollout (application, settled, coming, percent, changed, changed_by)
        VALUES (
            roll_out.application, CASE WHEN roll_out.percent = 100 THEN next ELSE old.settled END,
            CASE WHEN roll_out.percent BETWEEN 1 AND 99 THEN next END,
            CASE WHEN roll_out.percent = 0 THEN 100 ELSE roll_out.percent END, clock_timestamp(), session_user)
        ON CONFLICT (application) DO UPDATE
        SET settled = excluded.settled, coming = excluded.coming, percent = excluded.percent, changed = excluded.changed,
            changed_by = excluded.changed_by;
    END IF;
    PERFORM taskhost.note_rollout();
END
$$;
COMMENT ON FUNCTION taskhost.roll_out IS
    'So many of the hosts that take manifests get this one, the others keep what they have. 100: all do, for good; 0: it is taken '
    'back. manifest NULL: the one that is being rolled out.';

CREATE FUNCTION taskhost.withdraw(application text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    DELETE FROM taskhost.rollout r WHERE r.application = withdraw.application;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM taskhost.note_rollout();
    RETURN true;
END
$$;
COMMENT ON FUNCTION taskhost.withdraw IS 'No host has a manifest of that application from the fleet any more. False: none had.';

CREATE FUNCTION taskhost.rollouts_of(host bigint) RETURNS TABLE (application text, manifest text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    me text;
BEGIN
    SELECT h.identity INTO me FROM taskhost.host h WHERE h.id = rollouts_of.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(rollouts_of.host); END IF;
    RETURN QUERY
    -- Each application has its own order of hosts, so that not always the same ones come first.
    WITH takers AS MATERIALIZED (
        SELECT DISTINCT h.identity FROM taskhost.host h
        WHERE h.replaced IS NULL AND h.last_seen > clock_timestamp() - interval '1 day' AND h.status ? 'rollouts')
    SELECT given.application, given.manifest FROM (
        SELECT r.application, CASE WHEN r.coming IS NOT NULL AND place.before < ceil(place.hosts * r.percent / 100.0)
            THEN r.coming ELSE r.settled END AS manifest
        FROM taskhost.rollout r CROSS JOIN LATERAL (
            SELECT count(*) AS hosts,
                count(*) FILTER (WHERE md5(r.application || ' ' || t.identity) < md5(r.application || ' ' || me)) AS before
            FROM takers t) place) given
    WHERE given.manifest IS NOT NULL;
END
$$;
COMMENT ON FUNCTION taskhost.rollouts_of IS
    'The manifests that the host is to have. Those who get a coming one first are the same ones as long as hosts stay.';

CREATE VIEW taskhost.rollouts AS
SELECT r.application, r.percent, encode(sha256(convert_to(r.settled, 'UTF8')), 'hex') AS settled,
    encode(sha256(convert_to(r.coming, 'UTF8')), 'hex') AS coming, r.changed, r.changed_by
FROM taskhost.rollout r;
COMMENT ON VIEW taskhost.rollouts IS
    'What is rolled out; settled and coming: SHA-256 of the manifests. The status of a host says which it has.';

DROP FUNCTION taskhost.seen(bigint, jsonb, boolean);
CREATE FUNCTION taskhost.seen(host bigint, status jsonb, waits boolean) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    IF octet_length(seen.status::text) > 65536 THEN
        PERFORM taskhost.refuse_value('A host''s status has more than 64 KiB', 'say less');
    END IF;
    -- One host more takes manifests: who gets a coming one first is decided anew.
    IF seen.status ? 'rollouts' AND EXISTS (SELECT FROM taskhost.rollout r WHERE r.coming IS NOT NULL)
        AND NOT (SELECT h.status ? 'rollouts' FROM taskhost.host h WHERE h.id = seen.host AND h.owner = session_user)
    THEN
        PERFORM taskhost.note_rollout();
    END IF;
    UPDATE taskhost.host h
    SET last_seen = clock_timestamp(), status = coalesce(seen.status, h.status), waits = coalesce(seen.waits, false)
    WHERE h.id = seen.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(seen.host); END IF;
    RETURN (SELECT m.rollouts FROM taskhost.meta m);
END
$$;
COMMENT ON FUNCTION taskhost.seen IS
    'The host lives. status: its conditions and what runs (NULL: as before); waits: it LISTENs. Returns the number of changes of '
    'rollouts.';

REVOKE EXECUTE ON FUNCTION taskhost.seen, taskhost.note_rollout, taskhost.roll_out, taskhost.withdraw, taskhost.rollouts_of
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION taskhost.seen, taskhost.rollouts_of TO taskhost_host;
GRANT USAGE ON SCHEMA taskhost TO taskhost_operator;
GRANT EXECUTE ON FUNCTION taskhost.version, taskhost.roll_out, taskhost.withdraw TO taskhost_operator;
GRANT SELECT ON taskhost.hosts, taskhost.rollouts TO taskhost_operator;
GRANT SELECT ON taskhost.rollouts TO taskhost_reader, taskhost_host;

UPDATE taskhost.meta SET version = 2;
