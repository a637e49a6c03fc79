import Record
import TaskModel

@testable import Fleet

// What the database has to say.
extension CrowdHistory {
    /// Notes every version of a request that others could see.
    static let trigger = """
        CREATE UNLOGGED TABLE public.change (
            id bigint GENERATED ALWAYS AS IDENTITY, key uuid, number bigint, holder bigint, leased boolean,
            quarantined boolean, ended boolean, free timestamptz, claimed timestamptz, losses int, payload bytea);
        CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO public.change (key, number, holder, leased, quarantined, ended, free, claimed, losses, payload)
            VALUES (NEW.key, NEW.number, NEW.holder, NEW.leased, NEW.quarantined, NEW.ended IS NOT NULL, NEW.free,
                NEW.claimed, NEW.losses, NEW.payload);
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER note AFTER INSERT OR UPDATE ON taskhost.request FOR EACH ROW EXECUTE FUNCTION public.note();
        """

    mutating func read(_ session: FleetSession) throws(FleetError) {
        func time(_ column: String) -> String { "(extract(epoch FROM \(column)) * 1000000)::bigint" }
        for row in try session.rows(
            ServerStatement("SELECT key, number, state, coalesce(outcome, '') FROM taskhost.requests"))
        {
            guard let token = ClaimToken(row: row), let state = row[2], let outcome = row[3] else { continue }
            requests.append(Request(key: token.key, state: state, number: token.number, outcome: outcome))
        }
        for row in try session.rows(ServerStatement("SELECT key, number, outcome, accepted FROM taskhost.run")) {
            guard let token = ClaimToken(row: row) else { continue }
            runs.append(Run(token: token, outcome: row[2], accepted: row[3] == "t"))
        }
        for row in try session.rows(
            ServerStatement(
                """
                SELECT key, number, holder, leased, quarantined, ended, \(time("free")), \(time("claimed")), losses,
                    convert_from(payload, 'UTF8')
                FROM public.change ORDER BY id
                """))
        {
            guard let token = ClaimToken(row: row), let free = row[6].flatMap({ Int64($0) }) else { continue }
            changes.append(
                Change(
                    key: token.key, number: token.number, holder: row[2].flatMap { Int64($0) }, leased: row[3] == "t",
                    quarantined: row[4] == "t", ended: row[5] == "t", free: free,
                    claimed: row[7].flatMap { Int64($0) }, losses: row[8].flatMap { Int($0) } ?? 0,
                    payload: row[9] ?? ""))
        }
    }
}
