-- Version 3 of the schema of a fleet: payloads are those that a handler can have, and rollouts count the hosts that are there. It is
-- run on version 2, in one transaction with it or later.

DO $$
DECLARE
    text text;
    changed text;
    change record;
BEGIN
    -- Whoever migrates at the same time waits here, and then finds it done.
    IF (SELECT version FROM taskhost.meta FOR UPDATE) <> 2 THEN
        RAISE EXCEPTION USING MESSAGE = 'another one has migrated it meanwhile';
    END IF;
    -- Otherwise as in the versions before.
    FOR change IN SELECT * FROM (VALUES
        -- Hosts refuse a larger payload of before.
        ('taskhost.submit', 'octet_length(load) > 1048576', 'octet_length(load) > 131072'),
        ('taskhost.submit', '1048576 (1 MiB)', '131072 (128 KiB)'),
        -- Of two first rollouts of an application at one time, the second one sees the first.
        ('taskhost.roll_out', 'SELECT * INTO old FROM', E'PERFORM pg_advisory_xact_lock(hashtextextended('
            || E'\'taskhost.roll_out \' || roll_out.application, 0));\n    SELECT * INTO old FROM')) c (name, before, after)
    LOOP
        text := pg_catalog.pg_get_functiondef(change.name::pg_catalog.regproc);
        changed := replace(text, change.before, change.after);
        IF changed = text THEN RAISE EXCEPTION USING MESSAGE = format('%s is not as version 2 has it', change.name); END IF;
        EXECUTE changed;
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION taskhost.rollouts_of(host bigint) RETURNS TABLE (application text, manifest text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    me text;
BEGIN
    SELECT h.identity INTO me FROM taskhost.host h WHERE h.id = rollouts_of.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(rollouts_of.host); END IF;
    RETURN QUERY
    -- Each application has its own order of hosts, so that not always the same ones come first. One that has left is none of them.
    WITH takers AS MATERIALIZED (
        SELECT DISTINCT h.identity FROM taskhost.host h
        WHERE h.replaced IS NULL AND h.left IS NULL AND h.last_seen > clock_timestamp() - interval '1 day'
            AND h.status ? 'rollouts')
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

CREATE OR REPLACE FUNCTION taskhost.leave(host bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    takes boolean;
BEGIN
    UPDATE taskhost.host h SET "left" = coalesce(h.left, clock_timestamp()), waits = false
    WHERE h.id = leave.host AND h.owner = session_user
    RETURNING h.status ? 'rollouts' INTO takes;
    IF NOT FOUND THEN PERFORM taskhost.refuse(leave.host); END IF;
    -- One host less takes manifests: who gets a coming one first is decided anew.
    IF takes AND EXISTS (SELECT FROM taskhost.rollout r WHERE r.coming IS NOT NULL) THEN PERFORM taskhost.note_rollout(); END IF;
END
$$;

UPDATE taskhost.meta SET version = 3;
