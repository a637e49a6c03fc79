#!/usr/bin/env bash
# Six downloads of an application in C, while everything dies: the application, the host, the link, the whole machine as far as
# its processes and unsynced bytes go. Prints what happens, and what the application was called for. Fails when a file's digest,
# or the order of what was told, is another.
#
# usage: demo-transfers.sh DIRECTORY, where taskhost, taskhost-worker and taskhost-transfer are
# environment: LINK_SECONDS, for how long the link is down (5)
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(realpath "$1")
seconds=${LINK_SECONDS:-5}
application=org.taskhost.fixtures.transfers
files=6
folder=$(mktemp -d)
host= nginx= space= link=
finish() {
    if [ -n "$host" ]; then kill "$host" 2>/dev/null || true; wait "$host" 2>/dev/null || true; fi
    # Whoever started this may have blocked the signals that end nginx, which it inherits.
    if [ -n "$nginx" ]; then kill -9 "$nginx" 2>/dev/null || true; wait "$nginx" 2>/dev/null || true; fi
    # Its end of the link goes with it.
    if [ -n "$space" ]; then ip netns del "$space" || true; fi
    rm -rf "$folder"
}
trap finish EXIT

fail() {
    echo "demo-transfers: $1" >&2
    for file in host heard; do sed "s/^/  $file: /" "$folder/$file" >&2 || true; done
    exit 1
}
say() { printf '\n== %s\n' "$1"; }
taskhost() { "$bin/taskhost" "$@" --state "$folder/state"; }
within() { # within SECONDS COMMAND…: until it succeeds
    local end=$((SECONDS + $1)); shift
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "waited in vain for: $*"
        sleep 0.1
    done
}

# A server of its own at the other end of a link, if this machine lets us make one; else on loopback.
address=127.0.0.1 enter=
name=thd$$
if ip netns add $name 2>/dev/null; then
    space=$name
    if ip link add $name type veth peer name eth0 netns $name 2>/dev/null; then
        link=$name address=10.213.$(($$ % 250)).2 enter="ip netns exec $name"
        ip addr add ${address%.2}.1/30 dev $link; ip link set $link up
        $enter ip addr add $address/30 dev eth0; $enter ip link set eth0 up; $enter ip link set lo up
    fi
fi
mkdir -p "$folder/www"
chmod 755 "$folder" "$folder/www"
for ((i = 1; i <= files; i++)); do head -c $((2000000 + i * 100000)) /dev/urandom >"$folder/www/$i"; done
for port in $(shuf -i 20000-40000 -n 20); do
    cat >"$folder/nginx.conf" <<CONFIG
daemon off; master_process off; pid $folder/nginx.pid; error_log stderr crit;
events { worker_connections 64; }
http {
    access_log $folder/requests;
    server { listen $address:$port; root $folder/www; limit_rate ${RATE:-160k}; }
}
CONFIG
    PATH=$PATH:/usr/sbin $enter nginx -p "$folder" -c "$folder/nginx.conf" -e stderr 2>"$folder/nginx" & nginx=$!
    until curl -sf -m 5 -r 0-0 -o "$folder/first" "http://$address:$port/1"; do
        kill -0 $nginx 2>/dev/null || { nginx=; break; }
        sleep 0.05
    done
    [ -z "$nginx" ] || break
done
[ -n "$nginx" ] || { cat "$folder/nginx" >&2; exit 1; }

mkdir -m 755 "$folder/manifests"
cc -shared -fPIC -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -I Sources/CTaskHost/include \
    -o "$folder/manifests/libtransfers.so" Tests/Fixtures/Good/transfers.c
chmod 755 "$folder/manifests/libtransfers.so"
sed "s/127.0.0.1:8080/$address:$port/" Tests/Fixtures/manifests/fixtures.transfers.json >"$folder/manifests/$application.json"
echo '{ "suspendAfter": "500ms" }' >"$folder/config.json"
own=$folder/state/applications/$application

serve() {
    : >"$folder/host"
    "$bin/taskhost" serve --state "$folder/state" --manifests "$folder/manifests" --config "$folder/config.json" \
        2>"$folder/host" & host=$!
    within 20 grep -q serving "$folder/host"
}
die() { # die PROCESS…: as kill -9 has it
    kill -9 "$@"; wait "$host" 2>/dev/null || true
}
received() { # bytes of all files, in whole or in part
    find "$own/transfers" "$own/cache" -type f \( -name '*.part' -o -name '*.download' \) -printf '%s\n' 2>/dev/null |
        awk '{ sum += $1 } END { print sum + 0 }'
}
grown() { [ "$(received)" -ge "$1" ]; }
more() { # until so many further bytes are there
    local before; before=$(received)
    within 60 grown $((before + $1))
    printf 'received %d KiB, and then %d KiB\n' $((before / 1024)) $(($(received) / 1024))
}
heard() { cat "$own/state/trace" 2>/dev/null || true; }
has() { heard >"$folder/heard"; grep -q "$1" "$folder/heard"; }
worker() { grep -ls libtransfers.so $(printf '/proc/%s/maps ' $(descendants "$host")) 2>/dev/null | cut -d / -f 3; }
descendants() { local child; for child in $(cat /proc/$1/task/*/children 2>/dev/null); do echo "$child"; descendants "$child"; done; }

is() { taskhost list --json | grep -q "\"state\":\"$1\""; }

touch "$folder/heard"
serve
# It is new, so it is launched once.
within 20 is suspended
taskhost device set network=ok >/dev/null
say "A person opens the application, which begins $files downloads in a background session"
taskhost foreground $application
{
    printf 'open s\nreplay s\n'
    for ((i = 1; i <= files; i++)); do echo "download s http://$address:$port/$i"; done
} >"$folder/script"
# What the application prints comes on standard error.
taskhost run $application.work --payload "$folder/script" >"$folder/run" 2>&1 || { cat "$folder/run"; fail "the run failed"; }
more 200000

say "kill -9 of the application: its downloads go on"
kill -9 $(worker)
more 200000

say "kill -9 of the host, and a new one"
die "$host"
before=$(received)
serve
grown "$before" || fail "what there was is lost"
more 200000

if [ -n "$link" ]; then
    say "The link goes down for $seconds s"
    ip link set "$link" down
    before=$(received); sleep "$seconds"
    printf 'received %d KiB meanwhile\n' $((($(received) - before) / 1024))
    say "The link is up again"
    ip link set "$link" up
    more 200000
else
    say "The link stays up: this step needs the right to make a network namespace (root)"
fi

say "A forced restart: nothing lives, and what was not told to be on disk is gone"
processes=$(descendants "$host")
die "$host" $processes
echo another >"$own/transfers/boot"
serve

say "All is there: the application is launched for the events of its session"
within 120 has '^handled s 0'
within 10 grep -q . "$folder/heard"
say "What it was called for"
heard | grep -E '^(launched|handle-events|downloaded|completed|all-told|handled)' | sed -E 's/ #[0-9]+//; s/ in [0-9]+ / /; s/ (reason|status) .*//' |
    tee "$folder/calls"

for ((i = 1; i <= files; i++)); do
    cmp -s "$folder/www/$i" "$own/state/s-$i" || fail "the file $i differs"
done
say "The digests are the server's"
(cd "$own/state"; sha256sum s-*)

# Each file right before its end, all of them between the first and the last word.
for ((i = 1; i <= files; i++)); do printf 'downloaded s N on other\ncompleted s N error 0\n'; done >"$folder/pairs"
{ printf 'launched\nlaunched\nhandle-events s on main\n'; cat "$folder/pairs"; printf 'all-told s 0\nhandled s 0\n'; } |
    diff -u --label 'expected order' --label 'order' - <(sed -E 's/^(downloaded|completed) s [0-9]+/\1 s N/' "$folder/calls") ||
    fail "the order differs"
[ "$(sed -nE 's/^completed s ([0-9]+) .*/\1/p' "$folder/calls" | sort -n | xargs)" = "$(seq -s ' ' $files)" ] ||
    fail "a file was told twice, or never"
[ "$(ls "$own/transfers")" = boot ] || fail "something is left of the transfers"
say "As it should be"
