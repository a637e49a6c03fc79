-- Version 3 of the schema of a fleet: payloads are those that a handler can have, claims beside a long transaction walk less, and
-- rollouts count the hosts that are there. It is run on version 2, in one transaction with it or later.

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
            || E'\'taskhost.roll_out \' || roll_out.application, 0));\n    SELECT * INTO old FROM'),
        -- A host that has left keeps no place among those that get a coming manifest.
        ('taskhost.rollouts_of', 'h.replaced IS NULL', 'h.replaced IS NULL AND h.left IS NULL')) c (name, before, after)
    LOOP
        text := pg_catalog.pg_get_functiondef(change.name::pg_catalog.regproc);
        changed := replace(text, change.before, change.after);
        IF changed = text THEN RAISE EXCEPTION USING MESSAGE = format('%s is not as version 2 has it', change.name); END IF;
        EXECUTE changed;
    END LOOP;
END
$$;

-- Claims --------------------------------------------------------------------------------------------------------------------
-- A session that claims for several hosts counts the leases of the one for which it claims (the last statements but one). Where no
-- dead entry can be removed, what a session has walked counts as a whole, and not by its first claim, which walks a few of the lines:
-- so claims walk for a tenth of the time at most. Otherwise they are as in version 1.

-- What became free is looked for in all queues that a claim asks, so the time until which that was done is a mark of all of them. It
-- was one of those whose line was walked, and where no dead entry could be removed each claim walked those of all other queues.
DROP FUNCTION taskhost.marks(jsonb, text[], jsonb, uuid[], timestamptz);
CREATE FUNCTION taskhost.marks(
    marks jsonb, asked text[], identifiers text[], labels jsonb, picked uuid[], swept timestamptz
) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    -- Of a line with nothing in it, the mark is before what is submitted from now on.
    moment bigint := floor(extract(epoch FROM clock_timestamp()) * 1000) - 60000;
    recent uuid := lpad(to_hex(moment), 12, '0') || repeat('0', 20);
    new jsonb;
BEGIN
    -- The last that was picked of each queue. OFFSET 0 has each be looked up by its key.
    WITH last AS MATERIALIZED (
        SELECT DISTINCT ON (r.queue) r.queue, r.line, r.key FROM unnest(picked) p (key) CROSS JOIN LATERAL (
            SELECT o.queue, o.line, o.key FROM taskhost.request o WHERE o.key = p.key OFFSET 0) r
        ORDER BY r.queue, r.line DESC, r.key DESC)
    SELECT jsonb_object_agg(q.id, CASE WHEN q.identifier = ANY (identifiers)
        THEN jsonb_build_array(
            coalesce(l.line, (old ->> 0)::int, 0), coalesce(l.key, (old ->> 1)::uuid, recent), time.until)
        ELSE jsonb_build_array(old -> 0, old -> 1, time.until) END)
    INTO new
    FROM taskhost.queue q LEFT JOIN last l ON l.queue = q.id CROSS JOIN LATERAL (SELECT marks.marks -> q.id::text) o (old)
        CROSS JOIN LATERAL (
            SELECT coalesce(nullif(swept, '-infinity'), (old ->> 2)::timestamptz, '-infinity')) time (until)
    WHERE q.identifier = ANY (asked) AND q.labels <@ marks.labels;
    RETURN marks.marks || coalesce(new, '{}');
END
$$;
COMMENT ON FUNCTION taskhost.marks IS
    'Where the lines of each queue begin: line and key of the last that was picked (identifiers: of those whose lines were walked), and '
    'the time until which all were put in line (of all that were asked).';
REVOKE EXECUTE ON FUNCTION taskhost.marks FROM PUBLIC;

CREATE OR REPLACE FUNCTION taskhost.look() RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    look jsonb := nullif(current_setting('taskhost.look', true), '');
    cost interval := (look ->> 'cost')::interval;
BEGIN
    RETURN CASE WHEN (look ->> 'begun')::timestamptz + least(greatest(11 * cost, '200 ms'), '1 minute') > clock_timestamp()
        THEN look END;
END
$$;
COMMENT ON FUNCTION taskhost.look IS
    'NULL: walk all of the lines. While a session stays in a transaction, no dead entry can be removed, and there are more '
    'with each claim. A claim that had to walk many notes in a setting of its own session where each line begins (marks) and '
    'what the host has (held). For ten times as long as such claims took, 200 ms at least and a minute at most, claims of this '
    'session begin there, as quick as ever: what was given back or comes late, before the marks, waits for so long.';

CREATE OR REPLACE FUNCTION taskhost.claim(host bigint, identifiers text[], most int, lease interval) RETURNS TABLE (
    key uuid, number bigint, losses int, identifier text, details jsonb, payload bytea, attempt int, failures int, deferrals int
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    -- Lost leases in a row at which a request is quarantined.
    most_losses constant int := 5;
    now timestamptz := clock_timestamp();
    me record;
    -- What the host has, and how many more requests it may have.
    held uuid[];
    room int;
    -- The identifier that was served last when a claim of this session could not serve all. A setting of the session, for a row
    -- that is written with each claim would have too many versions.
    turn text COLLATE "C" := coalesce(current_setting('taskhost.turn', true), '');
    -- Identifiers that may have more for this host, in their turn.
    asked text[];
    active text[];
    -- Those that a round walked.
    seen text[];
    -- How many each of them gets in a round.
    quota int;
    picked uuid[];
    lost uuid[];
    -- What this session knows of the lines (taskhost.look).
    look jsonb := taskhost.look();
    marks jsonb := coalesce(look -> 'marks', '{}');
    cost interval := coalesce((look ->> 'cost')::interval, '0');
    walked bigint := taskhost.walked();
    due int;
    swept timestamptz := now;
    -- The identifier that was served last.
    served text;
    given int;
BEGIN
    SELECT h.labels, h.draining OR h.left IS NOT NULL AS stops INTO me FROM taskhost.host h
    WHERE h.id = claim.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(claim.host); END IF;
    PERFORM taskhost.check_lease(claim.lease);
    IF me.stops THEN RETURN; END IF;
    IF look IS NULL OR (look ->> 'host')::bigint <> claim.host THEN
        held := ARRAY(
            SELECT r.key FROM taskhost.request r WHERE r.holder = claim.host AND r.leased AND r.free > now);
    ELSE
        -- OFFSET 0 has each be looked up by its key.
        held := ARRAY(
            SELECT r.key FROM jsonb_array_elements_text(look -> 'held') k (key) CROSS JOIN LATERAL (
                SELECT o.* FROM taskhost.request o WHERE o.key = k.key::uuid OFFSET 0) r
            WHERE r.holder = claim.host AND r.leased AND r.free > now);
    END IF;
    room := claim.most - cardinality(held);
    IF room IS NULL OR room <= 0 THEN RETURN; END IF;

    -- Those behind that one begin.
    asked := ARRAY(
        SELECT q.identifier FROM taskhost.queue q
        WHERE q.identifier = ANY (claim.identifiers) AND q.labels <@ me.labels
        GROUP BY q.identifier ORDER BY q.identifier <= turn, q.identifier);
    active := asked;

    -- What became free meanwhile gets in line; of many that did, more than this claim can take, the first that did.
    UPDATE taskhost.request r SET ready = true, later = false
    WHERE r.key = ANY (ARRAY(
        SELECT due.key
        FROM taskhost.queue q CROSS JOIN LATERAL (
            SELECT l.key FROM taskhost.request l
            WHERE l.queue = q.id AND l.later AND l.free <= now
                AND l.free > coalesce((marks -> q.id::text ->> 2)::timestamptz, '-infinity')
            ORDER BY l.free LIMIT 2 * room FOR UPDATE SKIP LOCKED) due
        WHERE q.identifier = ANY (asked) AND q.labels <@ me.labels));
    GET DIAGNOSTICS due = ROW_COUNT;
    -- Some may be left.
    IF due >= 2 * room THEN swept := '-infinity'; END IF;

    -- In rounds, each identifier gets as many as any other one, while it has them.
    WHILE room > 0 AND cardinality(active) > 0 LOOP
        quota := greatest(1, room / cardinality(active));
        seen := active;
        WITH pick AS MATERIALIZED (
            SELECT a.place, a.identifier, best.key, best.lost
            FROM unnest(active) WITH ORDINALITY a (identifier, place) CROSS JOIN LATERAL (
                SELECT first.key, first.lost
                FROM taskhost.queue q CROSS JOIN LATERAL (
                    SELECT r.key, r.line, r.leased AS lost FROM taskhost.request r
                    WHERE r.queue = q.id AND r.ready
                        AND (r.line, r.key) > (
                            coalesce((marks -> q.id::text ->> 0)::int, -32769),
                            coalesce((marks -> q.id::text ->> 1)::uuid, '00000000-0000-0000-0000-000000000000'))
                    ORDER BY r.line, r.key LIMIT quota FOR UPDATE SKIP LOCKED) first
                WHERE q.identifier = a.identifier AND q.labels <@ me.labels
                ORDER BY first.line, first.key LIMIT quota) best
            LIMIT room)
        SELECT array_agg(p.key), array_agg(p.key) FILTER (WHERE p.lost),
            (SELECT l.identifier FROM pick l ORDER BY l.place DESC LIMIT 1),
            ARRAY(SELECT f.identifier FROM pick f GROUP BY f.place, f.identifier HAVING count(*) = quota ORDER BY f.place)
        INTO picked, lost, served, active FROM pick p;
        IF taskhost.walked() - walked > 200 + 4 * (due + cardinality(held) + coalesce(cardinality(picked), 0)) THEN
            look := coalesce(look, jsonb_build_object('host', claim.host, 'begun', now))
                || jsonb_build_object('cost', cost + (clock_timestamp() - now));
        END IF;
        IF look IS NOT NULL THEN
            held := held || picked;
            IF cardinality(picked) = room THEN seen := seen[:array_position(seen, served)]; END IF;
            marks := taskhost.marks(marks, asked, seen, me.labels, picked, swept);
        END IF;
        EXIT WHEN picked IS NULL;

        IF lost IS NOT NULL THEN
            INSERT INTO taskhost.run (key, number, identifier, host, claimed, ended, outcome, accepted)
            SELECT r.key, r.number, r.identifier, h.name, r.claimed, clock_timestamp(), 'leaseLost', false
            FROM taskhost.request r LEFT JOIN taskhost.host h ON h.id = r.holder WHERE r.key = ANY (lost);
            UPDATE taskhost.request r SET quarantined = true, ready = false, leased = false, losses = r.losses + 1
            WHERE r.key = ANY (lost) AND r.losses + 1 >= most_losses;
        END IF;
        RETURN QUERY
        WITH claimed AS (
            UPDATE taskhost.request r
            SET leased = true, ready = false, later = true, number = r.number + 1, holder = claim.host,
                claimed = clock_timestamp(), free = clock_timestamp() + claim.lease, losses = r.losses + r.leased::int
            WHERE r.key = ANY (picked) AND NOT r.quarantined
            RETURNING r.*)
        SELECT c.key, c.number, c.losses, c.identifier, c.details, c.payload, c.attempt, c.failures, c.deferrals
        FROM claimed c ORDER BY c.line, c.key;
        GET DIAGNOSTICS given = ROW_COUNT;
        room := room - given;
    END LOOP;

    IF look IS NOT NULL THEN
        -- Another host's claim may have begun it.
        look := look || jsonb_build_object('host', claim.host, 'marks', marks, 'held', held);
        PERFORM set_config('taskhost.look', look::text, false);
    END IF;
    IF room = 0 AND served <> turn THEN PERFORM set_config('taskhost.turn', served, false); END IF;
END
$$;

-- Rollouts ------------------------------------------------------------------------------------------------------------------

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
