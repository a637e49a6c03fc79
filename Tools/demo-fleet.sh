#!/bin/sh
# Three hosts on this machine share a hundred requests through a PostgreSQL of their own. One is killed, one stands still for
# longer than its leases, and the database is killed and started again: each request ends exactly once.
# Usage: Tools/demo-fleet.sh BIN
set -eu
bin=$(cd "$1" && pwd)
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -x "${programs:-}/postgres" ] || {
    echo "demo-fleet: no PostgreSQL server; /usr/lib/postgresql; install it with 'apt install postgresql'" >&2
    exit 69
}
work=$(mktemp -d)
chmod 755 "$work"
mkdir "$work/database" "$work/c" "$work/m" "$work/s"
chmod 777 "$work/database"
as="env"
[ "$(id -u)" -eq 0 ] && as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
database="host=$work/database dbname=jobs user=taskhost"
hosts=""
server=""
end() {
    for process in $hosts $server; do
        # One of them has been killed already.
        kill -CONT "$process" 2>/dev/null || true
        kill -KILL "$process" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
ask() { psql -X -q -A -t -d "$database" -c "$1"; }
start_server() {
    : >"$work/database.log"
    $as "$programs/postgres" -D "$work/database/data" -k "$work/database" -c listen_addresses= >>"$work/database.log" 2>&1 &
    server=$!
    until psql -X -q -d "host=$work/database dbname=postgres user=taskhost" -c 'SELECT 1' >/dev/null 2>&1; do
        if ! kill -0 "$server" 2>/dev/null; then
            # Sessions of a server that was killed are at work for a moment longer.
            grep -q 'shared memory block' "$work/database.log" || { cat "$work/database.log" >&2; exit 1; }
            start_server
            return
        fi
        sleep 0.1
    done
}

say "A PostgreSQL of our own, and the fleet's schema in it"
$as "$programs/initdb" -D "$work/database/data" -U taskhost -A trust -E UTF8 --no-locale >/dev/null
start_server
psql -X -q -d "host=$work/database dbname=postgres user=taskhost" -c 'CREATE DATABASE jobs'
"$bin/taskhost" fleet init "$database"

say "Three hosts with one manifest of ten tasks"
{
    printf '{"identifier": "com.example.fleet", "permissions": {}, "tasks": {'
    for number in 1 2 3 4 5 6 7 8 9 10; do
        [ "$number" = 1 ] || printf ', '
        printf '"com.example.fleet.t%s": {"kind": "appRefresh", "handler": {"command": ["/bin/sleep", "0.5"]}}' "$number"
    done
    printf '}}\n'
} >"$work/m/fleet.json"
for name in one two three; do
    printf '{"fleet": {"database": "%s", "name": "%s", "lease": "10s"}}\n' "$database" "$name" >"$work/c/$name.json"
    "$bin/taskhost" serve --manifests "$work/m" --state "$work/s/$name" --config "$work/c/$name.json" >"$work/$name.log" 2>&1 &
    hosts="$hosts $!"
done
until [ "$(ask "SELECT count(*) FROM taskhost.hosts WHERE state = 'live'")" = 3 ]; do sleep 0.1; done
"$bin/taskhost" fleet --database "$database"

say "A hundred requests"
number=0
while [ "$number" -lt 100 ]; do
    "$bin/taskhost" submit "com.example.fleet.t$((number % 10 + 1))" --fleet --database "$database" >/dev/null
    number=$((number + 1))
done
# shellcheck disable=SC2086
set -- $hosts
say "Host one is killed, host two stands still"
kill -KILL "$1"
kill -STOP "$2"
until [ "$(ask "SELECT count(*) FROM taskhost.hosts WHERE state = 'gone'")" = 2 ]; do sleep 0.2; done
"$bin/taskhost" fleet --database "$database"
say "Host two goes on, and the database is killed and started again"
kill -CONT "$2"
kill -KILL "$server"
wait "$server" 2>/dev/null || true
start_server
until [ "$(ask "SELECT count(*) FROM taskhost.requests WHERE state <> 'ended'")" = 0 ]; do sleep 0.2; done

say "The history: where each ran, and what did not count"
"$bin/taskhost" history --fleet --database "$database" --limit 12
ask "SELECT host || ': ' || count(*) FILTER (WHERE accepted) || ' ends that count, ' || count(*) FILTER (WHERE outcome = 'leaseLost')
    || ' leases lost' FROM taskhost.runs GROUP BY host ORDER BY host"
ends=$(ask "SELECT count(*) || ' of ' || count(DISTINCT key) FROM taskhost.runs WHERE accepted AND outcome = 'succeeded'")
say "$ends requests ended once"
[ "$ends" = "100 of 100" ]
