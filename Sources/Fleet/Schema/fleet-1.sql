-- The schema of a fleet, version 1: requests that several hosts share, and the leases under which each host works on some.
-- PostgreSQL 15 and later. taskhost runs this file inside one transaction, after CREATE SCHEMA IF NOT EXISTS taskhost; it fails
-- when it is run twice. Programs ask taskhost.version() first.
--
-- How it works
--   * A request waits until a host claims it. A claim gives it a lease (a length of time) and a new token: the pair of the
--     request's key and a number that only grows. The host renews its leases long before they end.
--   * A lease that ends without a word is lost: the next claim may take the request over. Nothing else makes it free.
--   * An end counts if its token is the newest one of a request that is leased. Any other is "superseded": it changes nothing.
--   * Every time is the server's clock_timestamp(); clocks of hosts are never compared. Lengths are intervals.
--
-- Who may do what
--   Nobody reads or writes the tables. Programs call functions, which run with the rights of the schema's owner, and read the
--   three views. Grant one of these roles to a login role:
--     taskhost_submitter   submits, cancels its own requests and looks at them
--     taskhost_reader      reads the views: all but payloads and output
--     taskhost_host        works on requests: all of the above, and the calls that take a host's number
--   A host's number belongs to the login role (session_user) that joined with it.
--
-- Errors that people see have an SQLSTATE of class TH and read "what; where; what to do":
--   TH001  another host of this name lives            TH004  the host's number is forgotten or never was: join again
--   TH002  the host's number is another role's        TH005  the owner may not create roles
--   TH003  a value is out of bounds                   TH006  the request to replace is another role's
--
-- For a DBA
--   * A session that stays in a transaction for long keeps dead rows of taskhost.request from being removed. Claims then walk
--     less of the lines (taskhost.look), and over what is dead for a tenth of the time, however long it stays; disks fill all the same.
--   * Use READ COMMITTED, the default: under stricter levels, "keep" and "replace" may not see what was committed meanwhile.
--   * taskhost.keep() is called by hosts now and then. It is all the care that the tables need, beside autovacuum.

-- Roles ---------------------------------------------------------------------------------------------------------------------

DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['taskhost_submitter', 'taskhost_reader', 'taskhost_host'] LOOP
        CONTINUE WHEN EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = role);
        BEGIN
            EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', role);
        EXCEPTION
            -- Another database of this server is being prepared at the same time.
            WHEN duplicate_object OR unique_violation THEN NULL;
            WHEN insufficient_privilege THEN
                RAISE EXCEPTION USING ERRCODE = 'TH005', MESSAGE = pg_catalog.format(
                    'The role %s is missing and %s may not create it; the schema taskhost of %s; have a superuser run '
                        'CREATE ROLE taskhost_submitter, taskhost_reader and taskhost_host, or use a role with CREATEROLE',
                    role, current_user, pg_catalog.current_database());
        END;
    END LOOP;
END
$$;

REVOKE ALL ON SCHEMA taskhost FROM PUBLIC;
GRANT USAGE ON SCHEMA taskhost TO taskhost_submitter, taskhost_reader, taskhost_host;

-- Tables --------------------------------------------------------------------------------------------------------------------

CREATE TABLE taskhost.meta (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    version int NOT NULL,
    made timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE taskhost.meta IS 'One row: the version of this schema.';
INSERT INTO taskhost.meta (version) VALUES (1);

CREATE TABLE taskhost.host (
    id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    identity text COLLATE "C" NOT NULL,
    owner name NOT NULL,
    boot uuid NOT NULL,
    version text NOT NULL,
    labels jsonb NOT NULL,
    lease interval NOT NULL,
    joined timestamptz NOT NULL,
    last_seen timestamptz NOT NULL,
    -- It left by a clean stop.
    "left" timestamptz,
    -- A newer incarnation of the same identity joined.
    replaced timestamptz,
    draining boolean NOT NULL DEFAULT false,
    waits boolean NOT NULL DEFAULT false,
    status jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
COMMENT ON TABLE taskhost.host IS
    'Incarnations of hosts: one row for each time that a host started. Forgotten by keep() when it is long gone.';
COMMENT ON COLUMN taskhost.host.id IS
    'Grows, and is given once: a database that was set back to a backup knows none of those given since, and gives none of them '
    'to another host.';
COMMENT ON COLUMN taskhost.host.identity IS 'Of the state folder, for good: two incarnations of one host have the same.';
COMMENT ON COLUMN taskhost.host.owner IS 'The login role that joined; every later call has to come from it.';
COMMENT ON COLUMN taskhost.host.lease IS 'The host lives while last_seen is not older than this.';
COMMENT ON COLUMN taskhost.host.waits IS 'It LISTENs to taskhost_requests and wants to be woken.';
CREATE INDEX host_name ON taskhost.host (name, id);
CREATE INDEX host_identity ON taskhost.host (identity, owner);
CREATE INDEX host_waits ON taskhost.host (id) WHERE waits;

CREATE TABLE taskhost.queue (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    identifier text COLLATE "C" NOT NULL,
    labels jsonb NOT NULL,
    -- SHA-256 of the labels' text, for they may be too long for an index.
    digest bytea NOT NULL
);
COMMENT ON TABLE taskhost.queue IS
    'What requests ask of a host, once: an identifier and the labels that a host must have. A claim looks into the queues '
    'that its host can serve, and never at a request that it cannot. Transactions that make the same at one time make a few, '
    'and nobody waits for another.';
CREATE INDEX queue_identifier ON taskhost.queue (identifier, digest);

CREATE TABLE taskhost.request (
    key uuid PRIMARY KEY,
    queue int NOT NULL,
    identifier text COLLATE "C" NOT NULL,
    dedupe text COLLATE "C",
    priority smallint NOT NULL,
    line int NOT NULL,
    free timestamptz NOT NULL,
    ready boolean NOT NULL,
    later boolean NOT NULL,
    leased boolean NOT NULL DEFAULT false,
    quarantined boolean NOT NULL DEFAULT false,
    ended timestamptz,
    number bigint NOT NULL DEFAULT 0,
    holder bigint,
    claimed timestamptz,
    losses int NOT NULL DEFAULT 0,
    attempt int NOT NULL,
    failures int NOT NULL,
    deferrals int NOT NULL,
    submitted timestamptz NOT NULL,
    submitted_by name NOT NULL,
    outcome text,
    details jsonb NOT NULL,
    payload bytea NOT NULL
) WITH (
    -- Each request is written three times at least: submitted, claimed, ended. Room for the next versions; dead ones go soon.
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000,
    toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_cost_delay = 0
);
COMMENT ON TABLE taskhost.request IS
    'Requests: open ones, and ended ones until keep() forgets them. An ended one has no payload any more. Conditions of '
    'indexes are plain columns, and there are no constraints: the server would read the texts of both anew with every '
    'statement.';
COMMENT ON COLUMN taskhost.request.dedupe IS 'Of open requests: an ended one has none, for it stands in the way of none.';
COMMENT ON COLUMN taskhost.request.key IS 'The 16 bytes of a ULID, so keys sort by the time of submission.';
COMMENT ON COLUMN taskhost.request.line IS 'Minus the priority: lower ones come first, and older keys within one.';
COMMENT ON COLUMN taskhost.request.free IS 'From then on a host may claim it: its pause is over, or the lease of its holder.';
COMMENT ON COLUMN taskhost.request.ready IS
    'It is in line for a claim: it waits, or a claim saw that its lease is over. Such a lease may still be renewed or ended '
    'by its holder, until another claim takes the request.';
COMMENT ON COLUMN taskhost.request.later IS
    'It is open and not in line: free is yet to come, or no claim has looked since. Claims put in line what is due, oldest '
    'first.';
COMMENT ON COLUMN taskhost.request.leased IS 'The newest token is a host''s. Otherwise it waits, is quarantined or has ended.';
COMMENT ON COLUMN taskhost.request.quarantined IS
    'Five leases in a row were lost: no host gets it until taskhost.release(). It is neither ready nor later nor leased.';
COMMENT ON COLUMN taskhost.request.number IS 'Of the newest token; 0 before the first claim. A cancellation counts as one.';
COMMENT ON COLUMN taskhost.request.holder IS 'The incarnation (taskhost.host) that has, or had at the end, the newest token.';
COMMENT ON COLUMN taskhost.request.losses IS 'Leases in a row that ended without a word.';
-- What can be claimed, in the order of claims.
CREATE INDEX request_ready ON taskhost.request (queue, line, key) WHERE ready;
-- What becomes free later, in the order in which it does.
CREATE INDEX request_later ON taskhost.request (queue, free) WHERE later;
-- What a host has: those that have not ended are at its end, so that it does not matter how many dead rows are before them.
CREATE INDEX request_holder ON taskhost.request (holder, free) WHERE leased;
CREATE INDEX request_dedupe ON taskhost.request (identifier, dedupe, key) WHERE dedupe IS NOT NULL;
CREATE INDEX request_ended ON taskhost.request (ended) WHERE ended IS NOT NULL;
-- For people who look at what is open, of all identifiers or of one.
CREATE INDEX request_open ON taskhost.request (key) WHERE ended IS NULL;
CREATE INDEX request_open_of ON taskhost.request (identifier, key) WHERE ended IS NULL;

CREATE TABLE taskhost.run (
    key uuid NOT NULL,
    number bigint NOT NULL,
    identifier text COLLATE "C",
    host text,
    claimed timestamptz,
    ended timestamptz NOT NULL,
    outcome text,
    accepted boolean NOT NULL,
    detail jsonb,
    output bytea
) PARTITION BY RANGE (ended);
COMMENT ON TABLE taskhost.run IS
    'The history: how each token ended. A partition for each day (UTC), run_YYYYMMDD, made and dropped by keep().';
COMMENT ON COLUMN taskhost.run.accepted IS
    'At most one row of a token is. Not accepted: the lease was lost (outcome leaseLost), or a late end was superseded.';
COMMENT ON COLUMN taskhost.run.outcome IS
    'NULL: it was given back unharmed. Such rows are no history; they answer a host that says the same again.';
COMMENT ON COLUMN taskhost.run.host IS 'The name of the host; NULL: a person cancelled the request.';
CREATE INDEX run_key ON taskhost.run (key, number);
CREATE INDEX run_ended ON taskhost.run (ended);
CREATE INDEX run_ended_of ON taskhost.run (identifier, ended);
-- Days for which keep() made no partition in time.
CREATE TABLE taskhost.run_other PARTITION OF taskhost.run DEFAULT;

-- Helpers that nobody else may call ----------------------------------------------------------------------------------------

CREATE FUNCTION taskhost.refuse(host bigint) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF EXISTS (SELECT FROM taskhost.host h WHERE h.id = refuse.host) THEN
        RAISE EXCEPTION USING ERRCODE = 'TH002', MESSAGE = format(
            'Host %s belongs to another role than %s; the fleet of %s; connect with the role that joined, or join anew',
            host, session_user, current_database());
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'TH004', MESSAGE = format(
        'No host has the number %s; the fleet of %s; join anew', coalesce(host::text, 'NULL'), current_database());
END
$$;
COMMENT ON FUNCTION taskhost.refuse IS 'Says why this session may not speak for the host: TH002 or TH004.';

CREATE FUNCTION taskhost.refuse_value(what text, todo text) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'TH003', MESSAGE = format('%s; the fleet of %s; %s', what, current_database(), todo);
END
$$;
COMMENT ON FUNCTION taskhost.refuse_value IS 'TH003: a value is out of bounds.';

CREATE FUNCTION taskhost.check_lease(lease interval) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF (lease > interval '0' AND lease <= interval '1 day') IS NOT TRUE THEN
        PERFORM taskhost.refuse_value(
            format('A lease of %s is out of bounds', coalesce(lease::text, 'NULL')),
            'let it be longer than nothing and no longer than a day');
    END IF;
END
$$;
COMMENT ON FUNCTION taskhost.check_lease IS 'TH003 unless it is of a length that a lease may have.';

CREATE FUNCTION taskhost.check_labels(labels jsonb) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF labels = '{}' THEN RETURN; END IF;
    IF (jsonb_typeof(labels) = 'object') IS NOT TRUE THEN
        PERFORM taskhost.refuse_value('Labels are no JSON object', 'pass an object of strings, such as {"gpu": "yes"}');
    END IF;
    IF EXISTS (
        SELECT FROM jsonb_each(labels) l
        HAVING count(*) > 64 OR bool_or(
            jsonb_typeof(l.value) <> 'string' OR octet_length(l.key) > 255 OR octet_length(l.value #>> '{}') > 255))
    THEN
        PERFORM taskhost.refuse_value(
            'Labels are out of bounds', 'pass at most 64, each a string of at most 255 bytes with a name of as many');
    END IF;
END
$$;
COMMENT ON FUNCTION taskhost.check_labels IS 'TH003 unless it is an object of strings within bounds.';

CREATE FUNCTION taskhost.queue_of(identifier text, labels jsonb) RETURNS int
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
    hash bytea := sha256(convert_to(labels::text, 'UTF8'));
    found int;
BEGIN
    SELECT min(q.id) INTO found FROM taskhost.queue q
    WHERE q.identifier = queue_of.identifier AND q.digest = hash;
    IF found IS NULL THEN
        IF (SELECT count(DISTINCT q.digest) >= 1000 FROM taskhost.queue q WHERE q.identifier = queue_of.identifier) THEN
            PERFORM taskhost.refuse_value(
                format('%s has had requests with 1000 different sets of labels', identifier),
                'let labels name what a host must have; put what differs from request to request into the payload');
        END IF;
        INSERT INTO taskhost.queue (identifier, labels, digest)
        VALUES (queue_of.identifier, queue_of.labels, hash)
        RETURNING id INTO found;
    END IF;
    RETURN found;
END
$$;
COMMENT ON FUNCTION taskhost.queue_of IS
    'The queue of such requests, made when it is the first.';

CREATE FUNCTION taskhost.count_in(details jsonb, name text, otherwise int) RETURNS int
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN jsonb_typeof(details -> name) = 'number' AND (details ->> name)::numeric BETWEEN 0 AND 2147483647
            THEN (details ->> name)::numeric::int
        ELSE otherwise
    END
$$;
COMMENT ON FUNCTION taskhost.count_in IS 'A count of the details, if it is one.';

CREATE FUNCTION taskhost.new_key() RETURNS uuid
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    moment bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
    other text := gen_random_uuid();
BEGIN
    -- 48 bits of milliseconds since 1970, and 80 random ones: those of a random UUID that are not its version or variant.
    RETURN lpad(to_hex(moment), 12, '0') || substr(other, 1, 8) || substr(other, 10, 4) || substr(other, 25, 8);
END
$$;
COMMENT ON FUNCTION taskhost.new_key IS 'A new ULID.';

CREATE FUNCTION taskhost.wake() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    -- The commits of those who notify go one after another, so one of those at work does it for all. Its commit may come before
    -- another one's: then the hosts' poll finds that one's request.
    IF EXISTS (SELECT FROM taskhost.host h WHERE h.waits AND h.last_seen + h.lease > clock_timestamp())
        AND pg_try_advisory_xact_lock(1952543595, 1)
    THEN
        PERFORM pg_notify('taskhost_requests', '');
    END IF;
END
$$;
COMMENT ON FUNCTION taskhost.wake IS 'NOTIFY taskhost_requests, where a host that lives waits for it.';

CREATE FUNCTION taskhost.wake_at_commit() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM taskhost.wake();
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION taskhost.wake_at_commit IS
    'Of new requests. Their transaction may be an application''s, and stay open for long: until it commits, it does not keep '
    'others from waking hosts.';
CREATE CONSTRAINT TRIGGER wake AFTER INSERT ON taskhost.request
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION taskhost.wake_at_commit();

CREATE FUNCTION taskhost.kept_detail(detail jsonb) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN octet_length(detail::text) > 65536 THEN jsonb_build_object('omitted', octet_length(detail::text))
        ELSE detail
    END
$$;
COMMENT ON FUNCTION taskhost.kept_detail IS 'Details over 64 KiB are left out: no end fails for them.';

CREATE FUNCTION taskhost.kept_output(output bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN octet_length(output) > 262144 THEN substr(output, octet_length(output) - 262143) ELSE output END
$$;
COMMENT ON FUNCTION taskhost.kept_output IS 'The last 256 KiB of output: no end fails for more.';

CREATE FUNCTION taskhost.late(host text, key uuid, number bigint, outcome text, detail jsonb, output bytea) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    request record;
BEGIN
    SELECT r.identifier, r.submitted INTO request FROM taskhost.request r WHERE r.key = late.key;
    IF EXISTS (
        SELECT FROM taskhost.run h
        WHERE h.key = late.key AND h.number = late.number AND h.accepted
            AND h.ended >= coalesce(request.submitted, '-infinity'))
    THEN
        RETURN true;
    END IF;
    IF outcome IS NOT NULL AND NOT EXISTS (
        SELECT FROM taskhost.run h
        WHERE h.key = late.key AND h.number = late.number AND NOT h.accepted AND h.host = late.host
            AND h.outcome = late.outcome AND h.ended >= coalesce(request.submitted, '-infinity'))
    THEN
        INSERT INTO taskhost.run (key, number, identifier, host, ended, outcome, accepted, detail, output)
        VALUES (
            late.key, late.number, request.identifier, late.host, clock_timestamp(), late.outcome, false, late.detail,
            late.output);
    END IF;
    RETURN false;
END
$$;
COMMENT ON FUNCTION taskhost.late IS
    'The answer to an end whose token is not the newest of a leased request: whether it was accepted before. Otherwise it is '
    'noted as superseded, once.';

CREATE FUNCTION taskhost.state_of(request taskhost.request) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN (request).ended IS NOT NULL THEN 'ended'
        WHEN (request).leased THEN 'leased'
        WHEN (request).quarantined THEN 'quarantined'
        ELSE 'waiting'
    END
$$;
COMMENT ON FUNCTION taskhost.state_of IS 'waiting, leased, quarantined or ended.';

CREATE FUNCTION taskhost.walked() RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT pg_stat_get_xact_tuples_returned('taskhost.request_ready'::regclass)
        + pg_stat_get_xact_tuples_returned('taskhost.request_later'::regclass)
        + pg_stat_get_xact_tuples_returned('taskhost.request_holder'::regclass)
$$;
COMMENT ON FUNCTION taskhost.walked IS
    'How many entries of the indexes that claims walk this transaction has read, dead ones too.';

CREATE FUNCTION taskhost.look() RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    look jsonb := nullif(current_setting('taskhost.look', true), '');
BEGIN
    RETURN CASE WHEN (look ->> 'until')::timestamptz > clock_timestamp() THEN look END;
END
$$;
COMMENT ON FUNCTION taskhost.look IS
    'NULL: walk all of the lines. While a session stays in a transaction, no dead entry can be removed, and there are more '
    'with each claim. A claim that had to walk many notes in a setting of its own session where each line begins (marks) and '
    'what the host has (held). For ten times as long as it took, and 200 ms at least, claims of this session begin there, as '
    'quick as ever: what was given back or comes late, before the marks, waits for so long.';

CREATE FUNCTION taskhost.marks(marks jsonb, identifiers text[], labels jsonb, picked uuid[], swept timestamptz) RETURNS jsonb
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
    SELECT jsonb_object_agg(q.id, jsonb_build_array(
        coalesce(l.line, (old ->> 0)::int, 0), coalesce(l.key, (old ->> 1)::uuid, recent),
        coalesce(nullif(swept, '-infinity'), (old ->> 2)::timestamptz, '-infinity')))
    INTO new
    FROM taskhost.queue q LEFT JOIN last l ON l.queue = q.id CROSS JOIN LATERAL (SELECT marks.marks -> q.id::text) o (old)
    WHERE q.identifier = ANY (identifiers) AND q.labels <@ marks.labels;
    RETURN marks.marks || coalesce(new, '{}');
END
$$;
COMMENT ON FUNCTION taskhost.marks IS
    'Where the lines of each queue begin: line and key of the last that was picked, and the time until which all were put in '
    'line.';

CREATE FUNCTION taskhost.incarnations(host bigint) RETURNS bigint[]
LANGUAGE sql STABLE AS $$
    SELECT array_agg(o.id) FROM taskhost.host h JOIN taskhost.host o ON o.identity = h.identity AND o.owner = h.owner
    WHERE h.id = host
$$;
COMMENT ON FUNCTION taskhost.incarnations IS
    'All of one host. A host that started again says the ends that its record has of the time before.';

-- Everyone ------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION taskhost.version() RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT m.version FROM taskhost.meta m
$$;
COMMENT ON FUNCTION taskhost.version IS 'The version of this schema.';

-- Hosts ---------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION taskhost.join(name text, identity text, boot uuid, version text, labels jsonb, lease interval) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    now timestamptz := clock_timestamp();
    other record;
    made bigint;
BEGIN
    IF (octet_length("join".name) BETWEEN 1 AND 255 AND octet_length("join".identity) BETWEEN 1 AND 255
        AND "join".boot IS NOT NULL AND octet_length("join".version) <= 255) IS NOT TRUE
    THEN
        PERFORM taskhost.refuse_value(
            'A host''s name, identity, boot or version is missing or too long',
            'pass all of them, with texts of 1 to 255 bytes');
    END IF;
    PERFORM taskhost.check_labels("join".labels);
    PERFORM taskhost.check_lease("join".lease);
    -- Of two that join by one name, the second waits for the first.
    PERFORM pg_advisory_xact_lock(hashtextextended('taskhost.join ' || "join".name, 0));
    SELECT h.id, h.last_seen + h.lease - now AS lives INTO other FROM taskhost.host h
    WHERE h.name = "join".name AND (h.identity <> "join".identity OR h.owner <> session_user)
        AND h.left IS NULL AND h.replaced IS NULL AND h.last_seen + h.lease > now
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'TH001', MESSAGE = format(
            'Another host named %s lives; the fleet of %s; give this host another name, or stop that one and wait for %s s',
            "join".name, current_database(), ceil(extract(epoch FROM other.lives)));
    END IF;
    -- Milliseconds since 1970 and 20 random bits, and behind all that are known.
    made := floor(random() * (1 << 20))::bigint
        + greatest(floor(extract(epoch FROM now) * 1000)::bigint << 20, (SELECT max(h.id) + 1 FROM taskhost.host h));
    INSERT INTO taskhost.host (id, name, identity, owner, boot, version, labels, lease, joined, last_seen, draining)
    VALUES (
        made, "join".name, "join".identity, session_user, "join".boot, "join".version, "join".labels, "join".lease, now, now,
        coalesce((SELECT h.draining FROM taskhost.host h WHERE h.name = "join".name ORDER BY h.id DESC LIMIT 1), false));
    UPDATE taskhost.host h SET replaced = now, waits = false
    WHERE h.identity = "join".identity AND h.owner = session_user AND h.id <> made AND h.replaced IS NULL;
    RETURN made;
END
$$;
COMMENT ON FUNCTION taskhost.join IS
    'A new incarnation of a host; returns its number, for every later call of this login role. Draining stays by the name.';

CREATE FUNCTION taskhost.seen(host bigint, status jsonb, waits boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    IF octet_length(seen.status::text) > 65536 THEN
        PERFORM taskhost.refuse_value('A host''s status has more than 64 KiB', 'say less');
    END IF;
    UPDATE taskhost.host h
    SET last_seen = clock_timestamp(), status = coalesce(seen.status, h.status), waits = coalesce(seen.waits, false)
    WHERE h.id = seen.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(seen.host); END IF;
END
$$;
COMMENT ON FUNCTION taskhost.seen IS
    'The host lives. status: its conditions and what runs (NULL: as before); waits: it LISTENs.';

CREATE FUNCTION taskhost.leave(host bigint) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    UPDATE taskhost.host h SET "left" = coalesce(h.left, clock_timestamp()), waits = false
    WHERE h.id = leave.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(leave.host); END IF;
END
$$;
COMMENT ON FUNCTION taskhost.leave IS 'The host stops. It claims no more; what it holds it has given back, or its leases end.';

CREATE FUNCTION taskhost.drain(name text, "on" boolean) RETURNS int
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    changed int;
BEGIN
    UPDATE taskhost.host h SET draining = coalesce(drain."on", true) WHERE h.name = drain.name;
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF NOT "on" THEN PERFORM taskhost.wake(); END IF;
    RETURN changed;
END
$$;
COMMENT ON FUNCTION taskhost.drain IS
    'A host that drains goes on with what it has and gets nothing more. Returns how many incarnations have the name; 0: no '
    'such host.';

-- Submitting ----------------------------------------------------------------------------------------------------------------

CREATE FUNCTION taskhost.submit(
    identifier text, payload bytea DEFAULT '', earliest timestamptz DEFAULT NULL, priority smallint DEFAULT 0,
    labels jsonb DEFAULT '{}', dedupe text DEFAULT NULL, policy text DEFAULT 'allow', key uuid DEFAULT NULL,
    details jsonb DEFAULT '{}'
) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    now timestamptz := clock_timestamp();
    -- The terms, without NULL.
    load bytea := coalesce(submit.payload, '');
    terms jsonb := coalesce(submit.details, '{}');
    needs jsonb := coalesce(submit.labels, '{}');
    rank smallint := coalesce(submit.priority, 0);
    begins timestamptz := greatest(submit.earliest, now);
    old record;
    made uuid;
    place int;
BEGIN
    IF (octet_length(submit.identifier) <= 255 AND submit.identifier COLLATE "C" ~ '^[A-Za-z0-9._-]+$') IS NOT TRUE THEN
        PERFORM taskhost.refuse_value(
            format('%L is no identifier', left(regexp_replace(submit.identifier, '[^ -~]', '?', 'g'), 80)),
            'use 1 to 255 of the characters A to Z, a to z, 0 to 9, ".", "_" and "-"');
    ELSIF octet_length(load) > 1048576 THEN
        PERFORM taskhost.refuse_value(
            format('The payload of %s has %s bytes', submit.identifier, octet_length(load)),
            'keep it at 1048576 (1 MiB) or less, and pass a name for what is larger');
    ELSIF jsonb_typeof(terms) <> 'object' OR octet_length(terms::text) > 65536 THEN
        PERFORM taskhost.refuse_value(
            format('The details of %s are no object or have more than 64 KiB', submit.identifier), 'put them into the payload');
    ELSIF begins >= timestamptz '10000-01-01Z' THEN
        PERFORM taskhost.refuse_value(
            format('The earliest time of %s never comes', submit.identifier), 'pass one before the year 10000');
    ELSIF octet_length(submit.dedupe) > 1024 THEN
        PERFORM taskhost.refuse_value(
            format('The dedupe of %s has more than 1024 bytes', submit.identifier), 'pass a digest of it');
    ELSIF (submit.policy IN ('allow', 'keep', 'replace')) IS NOT TRUE THEN
        PERFORM taskhost.refuse_value(
            format('%L is no policy for %s', left(submit.policy, 80), submit.identifier), 'pass allow, keep or replace');
    ELSIF needs <> '{}' THEN
        PERFORM taskhost.check_labels(needs);
    END IF;

    IF submit.key IS NOT NULL AND EXISTS (SELECT FROM taskhost.request r WHERE r.key = submit.key) THEN
        RETURN submit.key;
    END IF;
    place := taskhost.queue_of(submit.identifier, needs);

    IF submit.dedupe IS NOT NULL AND submit.policy <> 'allow' THEN
        -- Submissions of one dedupe go one after another, until their transactions end.
        PERFORM pg_advisory_xact_lock(hashtextextended('taskhost.submit ' || submit.identifier || '/' || submit.dedupe, 0));
        IF submit.policy = 'keep' THEN
            SELECT r.key INTO made FROM taskhost.request r
            WHERE r.identifier = submit.identifier AND r.dedupe = submit.dedupe ORDER BY r.key LIMIT 1;
        ELSE
            SELECT r.key, r.submitted_by INTO old FROM taskhost.request r
            WHERE r.identifier = submit.identifier AND r.dedupe = submit.dedupe AND NOT r.leased AND NOT r.quarantined
                AND r.ended IS NULL
            ORDER BY r.key DESC LIMIT 1 FOR UPDATE;
            IF FOUND AND old.submitted_by <> session_user AND NOT pg_has_role(session_user, 'taskhost_host', 'MEMBER') THEN
                RAISE EXCEPTION USING ERRCODE = 'TH006', MESSAGE = format(
                    'The request %s of %s with this dedupe was submitted by another role; the fleet of %s; use another dedupe',
                    old.key, submit.identifier, current_database());
            END IF;
            UPDATE taskhost.request r
            SET queue = place, priority = rank, line = -rank::int, free = begins, ready = begins <= now, later = begins > now,
                payload = load, details = terms, attempt = taskhost.count_in(terms, 'attempt', 1),
                failures = taskhost.count_in(terms, 'failures', 0), deferrals = taskhost.count_in(terms, 'deferrals', 0)
            WHERE r.key = old.key
            RETURNING r.key INTO made;
        END IF;
    END IF;

    IF made IS NULL THEN
        made := coalesce(submit.key, taskhost.new_key());
        INSERT INTO taskhost.request (
            key, queue, identifier, dedupe, priority, line, free, ready, later, attempt, failures, deferrals, submitted,
            submitted_by, details, payload)
        VALUES (
            made, place, submit.identifier, submit.dedupe, rank, -rank::int, begins, begins <= now, begins > now,
            taskhost.count_in(terms, 'attempt', 1), taskhost.count_in(terms, 'failures', 0),
            taskhost.count_in(terms, 'deferrals', 0), now, session_user, terms, load)
        ON CONFLICT (key) DO NOTHING;
    ELSIF submit.policy = 'replace' THEN
        -- It may begin earlier now.
        PERFORM pg_notify('taskhost_requests', '');
    END IF;
    RETURN made;
END
$$;
COMMENT ON FUNCTION taskhost.submit IS
    'Submits a request, with the transaction that calls it; returns its key. The same key again changes nothing. payload: at '
    'most 1 MiB; earliest: no claim before; priority: higher ones first; labels: what a host must have; details: of '
    'taskhost''s own programs. With dedupe, among requests of the identifier and dedupe that have not ended: keep returns the '
    'oldest, replace changes the one that waits, allow makes another.';

CREATE FUNCTION taskhost.state(key uuid) RETURNS TABLE (
    state text, identifier text, attempt int, losses int, host text, free timestamptz, outcome text, ended timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
    SELECT taskhost.state_of(r), r.identifier, r.attempt, r.losses, h.name, r.free, r.outcome, r.ended
    FROM taskhost.request r LEFT JOIN taskhost.host h ON h.id = r.holder
    WHERE r.key = state.key
        AND (r.submitted_by = session_user OR pg_has_role(session_user, 'taskhost_reader', 'MEMBER')
            OR pg_has_role(session_user, 'taskhost_host', 'MEMBER'))
$$;
COMMENT ON FUNCTION taskhost.state IS
    'How a request stands; no row: there is none, or it is not this role''s to see. host: who has it, or had it at the end.';

CREATE FUNCTION taskhost.cancel(key uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    request record;
BEGIN
    SELECT taskhost.state_of(r) AS state, r.number, r.identifier INTO request FROM taskhost.request r
    WHERE r.key = cancel.key
        AND (r.submitted_by = session_user OR pg_has_role(session_user, 'taskhost_host', 'MEMBER'))
    FOR UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    IF request.state = 'ended' THEN RETURN 'ended'; END IF;
    UPDATE taskhost.request r
    SET ended = clock_timestamp(), outcome = 'cancelled', number = r.number + 1, ready = false, later = false, leased = false,
        quarantined = false, dedupe = NULL, payload = ''
    WHERE r.key = cancel.key;
    INSERT INTO taskhost.run (key, number, identifier, ended, outcome, accepted)
    VALUES (cancel.key, request.number + 1, request.identifier, clock_timestamp(), 'cancelled', true);
    RETURN CASE request.state WHEN 'leased' THEN 'cancelling' ELSE 'cancelled' END;
END
$$;
COMMENT ON FUNCTION taskhost.cancel IS
    'Ends a request for all: cancelled (it waited), cancelling (a host had it, and loses its lease), ended (it had ended '
    'before); NULL: there is none, or it is not this role''s to cancel.';

CREATE FUNCTION taskhost.release(key uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    UPDATE taskhost.request r SET quarantined = false, ready = true, free = clock_timestamp(), losses = 0, holder = NULL
    WHERE r.key = release.key AND r.quarantined
        AND (r.submitted_by = session_user OR pg_has_role(session_user, 'taskhost_host', 'MEMBER'));
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM taskhost.wake();
    RETURN true;
END
$$;
COMMENT ON FUNCTION taskhost.release IS
    'A quarantined request waits again. False: it is not quarantined, or not this role''s to release.';

-- Working on requests -------------------------------------------------------------------------------------------------------

CREATE FUNCTION taskhost.claim(host bigint, identifiers text[], most int, lease interval) RETURNS TABLE (
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
        IF look IS NULL
            AND taskhost.walked() - walked > 200 + 4 * (due + cardinality(held) + coalesce(cardinality(picked), 0))
        THEN
            look := jsonb_build_object(
                'host', claim.host,
                'until', clock_timestamp() + greatest(10 * (clock_timestamp() - now), interval '200 ms'));
        END IF;
        IF look IS NOT NULL THEN
            held := held || picked;
            IF cardinality(picked) = room THEN seen := seen[:array_position(seen, served)]; END IF;
            marks := taskhost.marks(marks, seen, me.labels, picked, swept);
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
        PERFORM set_config('taskhost.look', (look || jsonb_build_object('marks', marks, 'held', held))::text, false);
    END IF;
    IF room = 0 AND served <> turn THEN PERFORM set_config('taskhost.turn', served, false); END IF;
END
$$;
COMMENT ON FUNCTION taskhost.claim IS
    'Leases free requests of these identifiers to the host, so that it has at most so many: higher priorities first, then '
    'older keys; fair between identifiers. Each has a new token and a lease from the server''s clock. A request whose lease '
    'was lost five times in a row is quarantined instead.';

CREATE FUNCTION taskhost.renew(host bigint, keys uuid[], numbers bigint[], lease interval) RETURNS TABLE (
    key uuid, number bigint
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    IF NOT EXISTS (SELECT FROM taskhost.host h WHERE h.id = renew.host AND h.owner = session_user) THEN
        PERFORM taskhost.refuse(renew.host);
    END IF;
    PERFORM taskhost.check_lease(renew.lease);
    RETURN QUERY
    -- "=" would let the server walk all that the host has, and all dead entries of it, in the place of these keys.
    UPDATE taskhost.request r SET free = clock_timestamp() + renew.lease, ready = false, later = true
    WHERE r.key = ANY (renew.keys) AND r.leased AND r.holder IS NOT DISTINCT FROM renew.host
        AND (r.key, r.number) = ANY (ARRAY(SELECT (t.key, t.number) FROM unnest(renew.keys, renew.numbers) t (key, number)))
    RETURNING r.key, r.number;
END
$$;
COMMENT ON FUNCTION taskhost.renew IS
    'Begins the leases of these tokens anew, and returns those that go on: the newest tokens of requests that this host has, '
    'whether or not their time was over. keys and numbers go in pairs.';

CREATE FUNCTION taskhost.complete(host bigint, key uuid, number bigint, outcome text, detail jsonb, output bytea)
RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    me record;
    holders bigint[] := ARRAY[complete.host];
    kept jsonb := taskhost.kept_detail(complete.detail);
    tail bytea := taskhost.kept_output(complete.output);
BEGIN
    SELECT h.name INTO me FROM taskhost.host h WHERE h.id = complete.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(complete.host); END IF;
    IF (octet_length(complete.outcome) BETWEEN 1 AND 64) IS NOT TRUE THEN
        PERFORM taskhost.refuse_value('An outcome is missing or too long', 'pass 1 to 64 bytes');
    END IF;
    -- First as this incarnation; otherwise as any of this host.
    FOR round IN 1..2 LOOP
        WITH done AS (
            UPDATE taskhost.request r
            SET ended = clock_timestamp(), outcome = complete.outcome, ready = false, later = false, leased = false,
                dedupe = NULL, payload = ''
            WHERE r.key = complete.key AND r.number = complete.number AND r.leased AND r.holder = ANY (holders)
            RETURNING r.identifier, r.claimed, r.ended)
        INSERT INTO taskhost.run (key, number, identifier, host, claimed, ended, outcome, accepted, detail, output)
        SELECT complete.key, complete.number, d.identifier, me.name, d.claimed, d.ended, complete.outcome, true, kept,
            tail
        FROM done d;
        IF FOUND THEN RETURN true; END IF;
        holders := taskhost.incarnations(complete.host);
    END LOOP;
    RETURN taskhost.late(me.name, complete.key, complete.number, complete.outcome, kept, tail);
END
$$;
COMMENT ON FUNCTION taskhost.complete IS
    'The request has ended, for all hosts. True: it counts, or it did when the same was said before; false: it is superseded.';

CREATE FUNCTION taskhost.give_back(
    host bigint, key uuid, number bigint, attempt int, failures int, deferrals int, pause interval, outcome text, detail jsonb,
    output bytea
) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    me record;
    holders bigint[] := ARRAY[give_back.host];
    kept jsonb := taskhost.kept_detail(give_back.detail);
    tail bytea := taskhost.kept_output(give_back.output);
    rest interval := least(greatest(coalesce(give_back.pause, '0'), '0'), '100 years');
BEGIN
    SELECT h.name INTO me FROM taskhost.host h WHERE h.id = give_back.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(give_back.host); END IF;
    IF octet_length(give_back.outcome) NOT BETWEEN 1 AND 64 THEN
        PERFORM taskhost.refuse_value('An outcome is empty or too long', 'pass 1 to 64 bytes, or NULL');
    END IF;
    -- First as this incarnation; otherwise as any of this host.
    FOR round IN 1..2 LOOP
        WITH done AS (
            UPDATE taskhost.request r
            SET leased = false, free = clock_timestamp() + rest, ready = rest = interval '0', later = rest > interval '0',
                losses = 0, holder = NULL, attempt = coalesce(give_back.attempt, r.attempt),
                failures = coalesce(give_back.failures, r.failures), deferrals = coalesce(give_back.deferrals, r.deferrals)
            WHERE r.key = give_back.key AND r.number = give_back.number AND r.leased AND r.holder = ANY (holders)
            RETURNING r.identifier, r.claimed)
        INSERT INTO taskhost.run (key, number, identifier, host, claimed, ended, outcome, accepted, detail, output)
        SELECT give_back.key, give_back.number, d.identifier, me.name, d.claimed, clock_timestamp(), give_back.outcome, true,
            kept, tail
        FROM done d;
        IF FOUND THEN
            PERFORM taskhost.wake();
            RETURN true;
        END IF;
        holders := taskhost.incarnations(give_back.host);
    END LOOP;
    RETURN taskhost.late(me.name, give_back.key, give_back.number, give_back.outcome, kept, tail);
END
$$;
COMMENT ON FUNCTION taskhost.give_back IS
    'The request waits again, and is free after the pause. outcome NULL: it goes back unharmed, without a row of history. '
    'NULL for a count: it stays. Answers as complete() does.';

CREATE FUNCTION taskhost.next_free(host bigint, identifiers text[]) RETURNS interval
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    me record;
    look jsonb := taskhost.look();
    marks jsonb := coalesce(look -> 'marks', '{}');
    now timestamptz;
    next timestamptz;
BEGIN
    SELECT h.labels, h.draining OR h.left IS NOT NULL AS stops INTO me FROM taskhost.host h
    WHERE h.id = next_free.host AND h.owner = session_user;
    IF NOT FOUND THEN PERFORM taskhost.refuse(next_free.host); END IF;
    IF me.stops THEN RETURN NULL; END IF;
    SELECT min(coalesce(
        (SELECT timestamptz '-infinity' FROM taskhost.request r
         WHERE r.queue = q.id AND r.ready
             AND (r.line, r.key) > (
                 coalesce((marks -> q.id::text ->> 0)::int, -32769),
                 coalesce((marks -> q.id::text ->> 1)::uuid, '00000000-0000-0000-0000-000000000000'))
         ORDER BY r.line, r.key LIMIT 1),
        (SELECT r.free FROM taskhost.request r
         WHERE r.queue = q.id AND r.later AND r.free > coalesce((marks -> q.id::text ->> 2)::timestamptz, '-infinity')
         ORDER BY r.free LIMIT 1)))
    INTO next FROM taskhost.queue q WHERE q.identifier = ANY (next_free.identifiers) AND q.labels <@ me.labels;
    -- Then all of the lines are walked again.
    next := least(next, (look ->> 'until')::timestamptz);
    -- Also of NULL, greatest() would make zero.
    IF next IS NULL THEN RETURN NULL; END IF;
    now := clock_timestamp();
    RETURN greatest(next, now) - now;
END
$$;
COMMENT ON FUNCTION taskhost.next_free IS
    'How long until the next request becomes free that this host could claim; zero: there is one; NULL: none will by itself.';

CREATE FUNCTION taskhost.output(key uuid, number bigint) RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
    SELECT h.output FROM taskhost.run h
    WHERE h.key = output.key AND h.number = output.number AND h.output IS NOT NULL
        AND (pg_has_role(session_user, 'taskhost_host', 'MEMBER')
            OR EXISTS (SELECT FROM taskhost.request r WHERE r.key = output.key AND r.submitted_by = session_user))
    ORDER BY h.accepted DESC, h.ended DESC LIMIT 1
$$;
COMMENT ON FUNCTION taskhost.output IS
    'What a run wrote, the last 256 KiB at most, for its submitter and for hosts; NULL: nothing, or not this role''s to read.';

-- Care ----------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION taskhost.make_days() RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    day date;
    part text;
    held boolean;
BEGIN
    FOR after IN 0..2 LOOP
        day := (clock_timestamp() AT TIME ZONE 'UTC')::date + after;
        part := 'run_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass('taskhost.' || part) IS NOT NULL;
        -- A day that began without a partition stays in run_other.
        SELECT EXISTS (
            SELECT FROM taskhost.run_other o
            WHERE o.ended >= day::timestamp AT TIME ZONE 'UTC' AND o.ended < (day + 1)::timestamp AT TIME ZONE 'UTC')
        INTO held;
        CONTINUE WHEN held;
        -- Attaching it locks out no reader and no writer of the other days.
        EXECUTE format('CREATE TABLE taskhost.%I (LIKE taskhost.run INCLUDING ALL)', part);
        EXECUTE format(
            'ALTER TABLE taskhost.run ATTACH PARTITION taskhost.%I FOR VALUES FROM (%L) TO (%L)', part,
            to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
    END LOOP;
EXCEPTION
    -- Somebody holds the table for long: the next call tries again, and days are made early.
    WHEN lock_not_available OR deadlock_detected OR check_violation THEN NULL;
END
$$;
COMMENT ON FUNCTION taskhost.make_days IS 'Makes the partitions of the history of today and the next two days (UTC).';

CREATE FUNCTION taskhost.drop_days(age interval) RETURNS int
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    -- The first day that stays.
    stays text := 'run_' || to_char(((clock_timestamp() - age) AT TIME ZONE 'UTC')::date, 'YYYYMMDD');
    part name;
    dropped int := 0;
BEGIN
    FOR part IN
        SELECT c.relname FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'taskhost.run'::regclass AND c.relname ~ '^run_[0-9]{8}$' AND c.relname < stays COLLATE "C"
        ORDER BY c.relname
    LOOP
        EXECUTE format('DROP TABLE taskhost.%I', part);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
EXCEPTION
    WHEN lock_not_available OR deadlock_detected THEN RETURN 0;
END
$$;
COMMENT ON FUNCTION taskhost.drop_days IS 'Drops the partitions of the history that are older; returns how many.';

CREATE FUNCTION taskhost.keep(age interval) RETURNS int
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off SET lock_timeout = '250ms' AS $$
#variable_conflict use_column
DECLARE
    now timestamptz := clock_timestamp();
    removed int;
    counted int;
BEGIN
    IF (keep.age >= interval '0' AND keep.age <= interval '1000 years') IS NOT TRUE THEN
        PERFORM taskhost.refuse_value('The age to forget at is missing or out of bounds', 'pass one of 0 to 1000 years');
    END IF;
    -- One at a time does.
    IF NOT pg_try_advisory_xact_lock(1952543595, 2) THEN RETURN 0; END IF;
    DELETE FROM taskhost.request r
    WHERE r.key = ANY (ARRAY(
        SELECT e.key FROM taskhost.request e WHERE e.ended IS NOT NULL AND e.ended < now - keep.age
        ORDER BY e.ended LIMIT 1000 FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS removed = ROW_COUNT;
    -- Rows of the history never change, so each stays where it is found.
    DELETE FROM taskhost.run_other o
    WHERE o.ctid = ANY (ARRAY(
        SELECT e.ctid FROM taskhost.run_other e WHERE e.ended < now - keep.age ORDER BY e.ended LIMIT 1000));
    GET DIAGNOSTICS counted = ROW_COUNT;
    removed := removed + counted;
    -- Hosts that are gone and hold nothing.
    DELETE FROM taskhost.host h
    WHERE h.id = ANY (ARRAY(
        SELECT g.id FROM taskhost.host g
        WHERE g.last_seen + g.lease < now AND g.last_seen < now - keep.age
            AND NOT EXISTS (SELECT FROM taskhost.request r WHERE r.holder = g.id AND r.leased)
        ORDER BY g.id LIMIT 100 FOR UPDATE SKIP LOCKED));
    GET DIAGNOSTICS counted = ROW_COUNT;
    removed := removed + counted;
    UPDATE taskhost.host h SET waits = false WHERE h.waits AND h.last_seen + h.lease < now;
    PERFORM taskhost.make_days();
    RETURN removed + taskhost.drop_days(keep.age);
END
$$;
COMMENT ON FUNCTION taskhost.keep IS
    'One short piece of care, for any host to call now and then: makes the next days of the history, drops those that are '
    'older than the age, forgets at most 1000 ended requests and 100 hosts that are. Returns how many rows and days it '
    'removed; ask again when they were many.';

-- Looking -------------------------------------------------------------------------------------------------------------------

CREATE VIEW taskhost.hosts AS
SELECT DISTINCT ON (h.name)
    h.name,
    CASE
        WHEN h.left IS NOT NULL THEN 'left'
        WHEN h.replaced IS NULL AND h.last_seen + h.lease > clock_timestamp() THEN 'live'
        ELSE 'gone'
    END AS state,
    h.last_seen, h.draining, h.labels, h.status, h.version,
    (SELECT count(*) FROM taskhost.request r
     WHERE r.holder = h.id AND r.leased AND r.free > clock_timestamp()) AS leases
FROM taskhost.host h ORDER BY h.name, h.id DESC;
COMMENT ON VIEW taskhost.hosts IS 'Hosts by name, each as its newest incarnation; leases: those that have not ended.';

CREATE VIEW taskhost.requests AS
SELECT r.key, r.identifier,
    -- As taskhost.state_of, which readers may not call.
    CASE
        WHEN r.ended IS NOT NULL THEN 'ended' WHEN r.leased THEN 'leased' WHEN r.quarantined THEN 'quarantined' ELSE 'waiting'
    END AS state,
    r.priority, q.labels, r.dedupe, r.submitted, r.submitted_by, r.free, r.number, r.losses,
    r.attempt, r.failures, r.deferrals, h.name AS host, r.claimed, r.ended, r.outcome, r.details,
    octet_length(r.payload) AS payload_bytes
FROM taskhost.request r LEFT JOIN taskhost.queue q ON q.id = r.queue LEFT JOIN taskhost.host h ON h.id = r.holder;
COMMENT ON VIEW taskhost.requests IS
    'Requests without their payloads. Ask for ended IS NULL, or for a key or a span of ended: the table may have millions of '
    'ended ones.';

CREATE VIEW taskhost.runs AS
SELECT h.key, h.number, h.identifier, h.host, h.claimed, h.ended, h.outcome, h.accepted, h.detail
FROM taskhost.run h WHERE h.outcome IS NOT NULL;
COMMENT ON VIEW taskhost.runs IS 'The history: how each token ended. Ask for a span of ended, or for a key.';

-- Rights --------------------------------------------------------------------------------------------------------------------

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA taskhost FROM PUBLIC;
GRANT EXECUTE ON FUNCTION taskhost.version, taskhost.state TO taskhost_submitter, taskhost_reader, taskhost_host;
GRANT EXECUTE ON FUNCTION taskhost.submit, taskhost.cancel, taskhost.release, taskhost.output
    TO taskhost_submitter, taskhost_host;
GRANT EXECUTE ON FUNCTION taskhost.join, taskhost.seen, taskhost.leave, taskhost.drain, taskhost.claim, taskhost.renew,
    taskhost.complete, taskhost.give_back, taskhost.next_free, taskhost.keep
    TO taskhost_host;
GRANT SELECT ON taskhost.hosts, taskhost.requests, taskhost.runs TO taskhost_reader, taskhost_host;

DO $$ BEGIN PERFORM taskhost.make_days(); END $$;
