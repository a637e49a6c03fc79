#!/bin/sh
# A PostgreSQL of one's own for trying a fleet: on a socket in FOLDER, with a superuser `taskhost` and a database `jobs`.
# Usage: Tools/try-postgres.sh start|stop FOLDER
set -eu
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -x "${programs:-}/postgres" ] || {
    echo "try-postgres: no PostgreSQL server; /usr/lib/postgresql; install it with 'apt install postgresql'" >&2
    exit 69
}
[ $# -eq 2 ] || {
    echo "try-postgres: which folder; try-postgres.sh start|stop FOLDER; name one that may be made" >&2
    exit 64
}
# It refuses to be run by root.
as="env"
[ "$(id -u)" -eq 0 ] && as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
case $1 in
start)
    mkdir -p "$2"
    [ "$(id -u)" -eq 0 ] && chown nobody:nogroup "$2"
    folder=$(cd "$2" && pwd)
    $as "$programs/initdb" -D "$folder/data" -U taskhost -A trust -E UTF8 --no-locale >/dev/null
    $as "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -s -w -o "-k '$folder' -c listen_addresses=" start
    psql -X -q -d "host=$folder dbname=postgres user=taskhost" -c 'CREATE DATABASE jobs'
    echo "a PostgreSQL runs; host=$folder dbname=jobs user=taskhost"
    ;;
stop) $as "$programs/pg_ctl" -D "$2/data" -s -w -m fast stop ;;
*)
    echo "try-postgres: unknown word $1; try-postgres.sh start|stop FOLDER; write start or stop" >&2
    exit 64
    ;;
esac
