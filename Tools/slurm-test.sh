#!/bin/sh
# `taskhost run` as the payload of batch jobs of a Slurm: a controller and two nodes of our own on loopback, in a folder of their own.
# The batch script is the one of Documentation/ClusterManagers.md. Each case prints `ok` or `FAILED`; the exit status is 1 if one failed.
# Where cgroup 1 has memory and freezer and we are root, Slurm holds jobs in cgroups of its own; else by their parents (linuxproc).
# SLURM_TRACKING=linuxproc takes the second in any case.
# Usage: Tools/slurm-test.sh BIN
set -eu
bin=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=$bin:$PATH:/usr/sbin:/sbin
for pair in munged:munge slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client; do
    command -v "${pair%:*}" >/dev/null || {
        echo "slurm-test: ${pair%:*} is missing; PATH; install it with 'apt install ${pair#*:}'" >&2
        exit 69
    }
done
work=$(mktemp -d)
chmod 755 "$work"
mkdir "$work/jobs" "$work/control" "$work/one" "$work/two"
HOME=$work
SLURM_CONF=$work/slurm.conf
export PATH HOME SLURM_CONF
# In the names of cgroups, which several of these tests may make at once.
one=one$$
two=two$$
daemons=""
failures=0
end() {
    # While the controller lives, jobs end in order.
    scancel --quiet --full --signal=KILL --partition=all >/dev/null 2>&1 || true
    patience=$(($(date +%s) + 30))
    while [ "$(date +%s)" -lt "$patience" ] && squeue -h 2>/dev/null | grep -q .; do sleep 0.2; done
    left=$(living "$(cat "$work"/*.tree 2>/dev/null)") || true
    # shellcheck disable=SC2086
    kill -KILL $daemons $left 2>/dev/null || true
    wait 2>/dev/null || true
    patience=$(($(date +%s) + 10))
    for group in /sys/fs/cgroup/*/"slurm_$one" /sys/fs/cgroup/*/"slurm_$two"; do
        # A group is empty only when its processes have been reaped.
        while [ -d "$group" ] && [ "$(date +%s)" -le "$patience" ]; do
            find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || sleep 0.2
        done
    done
    rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

# check WHAT WANTED FOUND
check() {
    if [ "$2" = "$3" ]; then
        echo "ok      $1: $3"
    else
        echo "FAILED  $1: expected $2, found ${3:-nothing}"
        failures=$((failures + 1))
    fi
}
# await SECONDS WHAT COMMAND…: until the command succeeds. Without it the rest has no sense.
await() {
    patience=$(($(date +%s) + $1))
    what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt "$patience" ] || {
            echo "FAILED  $what: it did not come in time"
            for log in "$work"/*.log; do echo "== $log"; tail -n 20 "$log"; done
            squeue
            sinfo -N -l
            exit 1
        }
        sleep 0.2
    done
}
# fact JOB NAME: what the controller says of it.
fact() { scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
is() { [ "$(fact "$1" "$2")" = "$3" ]; }
over() {
    case $(fact "$1" JobState) in
    COMPLETED | FAILED | CANCELLED | TIMEOUT | NODE_FAIL) ;;
    *) return 1 ;;
    esac
}
# told JOB KEY: of the run, in the document that the job has printed.
told() {
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["runs"][0][sys.argv[2]])' \
        "$work/report-$1.json" "$2" 2>/dev/null || echo "no document"
}
# kept JOB FILE: the handler wrote it.
kept() { [ -n "$(find "$work/jobs/state/$1" -name "$2" 2>/dev/null)" ]; }
# tree PROCESS: it and all that it started.
tree() {
    echo "$1"
    for child in $(pgrep -P "$1"); do tree "$child"; done
}
# living PROCESSES: those of them that live.
living() {
    for process in $1; do
        if grep -q '^State:[[:space:]]*[^ZX]' "/proc/$process/status" 2>/dev/null; then printf '%s ' "$process"; fi
    done
}
# submit TASK [OPTION…]: the job's number. It runs the document's batch script, whose process we learn.
submit() {
    task=$1
    shift
    sed -e "s/com\.example\.report/com.example.report.$task/" -e "s#^exec #echo \$\$ >'$work'/\$SLURM_JOB_ID.pid; exec #" \
        -e "${edit:-}" "$work/report.sh" >"$work/$task.sh"
    (cd "$work" && sbatch --parsable "$@" "$work/$task.sh")
}
# running JOB: its handler has begun; what belongs to it is remembered.
running() {
    await 60 "job $1 runs" is "$1" JobState RUNNING
    await 60 "the handler of job $1 begins" kept "$1" started
    tree "$(cat "$work/$1.pid")" >"$work/$1.tree"
}
gone() { [ -z "$(living "$(cat "$work/$1.tree")")" ]; }
# ended JOB NAME STATE STATUS OUTCOME REASON
ended() {
    await 200 "the end of job $1" over "$1"
    check "$2, state of the job" "$3" "$(fact "$1" JobState)"
    check "$2, exit status" "$4" "$(fact "$1" ExitCode)"
    check "$2, outcome" "$5" "$(told "$1" outcome)"
    check "$2, reason" "$6" "$(told "$1" reason)"
}

say "A Slurm of our own"
tracking=linuxproc
if [ "${SLURM_TRACKING:-}" != linuxproc ] && [ -w /sys/fs/cgroup/memory/cgroup.procs ] && [ -w /sys/fs/cgroup/freezer/cgroup.procs ]; then
    tracking=cgroup
fi
echo "$(slurmctld -V), proctrack/$tracking"
# shellcheck disable=SC2046
set -- $(python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*[socket.getsockname()[1] for socket in sockets])')
head -c 1024 /dev/urandom >"$work/munge.key"
chmod 400 "$work/munge.key"
sed "s/^ *//" >"$SLURM_CONF" <<END
    ClusterName=taskhost
    SlurmctldHost=$(hostname -s)(127.0.0.1)
    SlurmctldPort=$1
    SlurmUser=$(id -un)
    SlurmdUser=$(id -un)
    AuthType=auth/munge
    # How long a requeued job waits, too.
    AuthInfo=socket=$work/munge.socket,cred_expire=5
    SlurmctldPidFile=$work/control.pid
    SlurmdPidFile=$work/%n.pid
    StateSaveLocation=$work/control
    SlurmdSpoolDir=$work/%n
    ProctrackType=proctrack/$tracking
    TaskPlugin=task/$([ "$tracking" = cgroup ] && echo cgroup || echo none)
    MpiDefault=none
    SelectType=select/cons_tres
    SelectTypeParameters=CR_Core_Memory
    SlurmdParameters=config_overrides
    SlurmdTimeout=15
    KillWait=20
    RequeueExit=75
    MailProg=/bin/true
    DefMemPerNode=100
    NodeName=$one NodeHostname=localhost NodeAddr=127.0.0.1 Port=$2 CPUs=16 RealMemory=3000 Weight=1
    NodeName=$two NodeHostname=localhost NodeAddr=127.0.0.1 Port=$3 CPUs=16 RealMemory=3000 Weight=2
    PartitionName=all Nodes=$one,$two Default=YES State=UP
END
printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\nConstrainRAMSpace=yes\n' >"$work/cgroup.conf"
munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
    --seed-file="$work/munge.seed" --log-file="$work/munge.log" >"$work/munge.log" 2>&1 &
daemons="$daemons $!"
await 30 "munged" test -S "$work/munge.socket"
slurmctld -D -i -f "$SLURM_CONF" >"$work/control.log" 2>&1 &
daemons="$daemons $!"
slurmd -D -N "$one" -f "$SLURM_CONF" >"$work/one.log" 2>&1 &
first=$!
slurmd -D -N "$two" -f "$SLURM_CONF" >"$work/two.log" 2>&1 &
daemons="$daemons $first $!"
idle() { [ "$(sinfo -h -N -o %T | sort | uniq -c | tr -d ' ')" = 2idle ]; }
await 90 "two idle nodes" idle

cat >"$work/jobs/report.json" <<'END'
{ "identifier": "com.example.report", "permissions": {}, "tasks": {
  "com.example.report.good": { "kind": "processing", "handler": { "command": ["/bin/true"] } },
  "com.example.report.bad": { "kind": "processing", "handler": { "command": ["/bin/sh", "-c", "echo nothing to report; exit 3"] } },
  "com.example.report.endless": { "kind": "processing", "budget": { "wallClock": "2s", "grace": "1s" },
    "handler": { "command": ["/bin/sh", "-c", "trap '' TERM; while :; do sleep 0.2; done"] } },
  "com.example.report.later": { "kind": "processing",
    "handler": { "command": ["/bin/sh", "-c", "[ -e seen ] && exit 0; : >seen; exit 75"] } },
  "com.example.report.careful": { "kind": "processing", "budget": { "wallClock": "10m", "grace": "10s" },
    "handler": { "command": ["/bin/sh", "-c",
      "trap 'sleep 1; : >saved; echo saved; exit 0' TERM; : >started; while :; do sleep 0.2; done"] } },
  "com.example.report.deaf": { "kind": "processing", "budget": { "wallClock": "10m", "grace": "3s" },
    "handler": { "command": ["/bin/sh", "-c", "trap '' TERM; : >started; while :; do sleep 0.2; done"] } },
  "com.example.report.slow": { "kind": "processing", "budget": { "wallClock": "10m", "grace": "5m" },
    "handler": { "command": ["/bin/sh", "-c", "trap '' TERM; : >started; while :; do sleep 0.2; done"] } },
  "com.example.report.greedy": { "kind": "processing", "budget": { "wallClock": "10m", "memory": "2GiB" },
    "handler": { "command": ["/usr/bin/python3", "-c", "print(len(bytearray(400 << 20)))"] } },
  "com.example.report.fragile": { "kind": "processing", "budget": { "wallClock": "10m" },
    "handler": { "command": ["/bin/sh", "-c", "[ -e started ] && exit 0; : >started; while :; do sleep 0.2; done"] } }
} }
END
# The first block of shell.
awk '$0 == "```" && inside { exit } inside { print } $0 == "```sh" { inside = 1 }' "$root/Documentation/ClusterManagers.md" >"$work/report.sh"

say "Jobs that meet their time limit, on the second node, beside all others"
edit='/^#SBATCH --signal/d'
limit=$(submit careful --time=1 --nodelist="$two")
edit='s/^#SBATCH --signal.*/#SBATCH --signal=B:TERM@30/'
signalled=$(submit deaf --time=1 --nodelist="$two")
edit=""
running "$limit"
running "$signalled"

say "A grace that is longer than Slurm's KillWait"
slow=$(submit slow)
running "$slow"
scancel "$slow"

say "Ends of their own"
good=$(submit good)
bad=$(submit bad)
endless=$(submit endless)
later=$(submit later)
command=$(cd "$work" && sbatch --parsable --output=report-%j.json --error=report-%j.log --wrap \
    "exec taskhost run --json --wall 1m --state '$work/jobs/state/command' -- sh -c 'exit \$((SLURM_JOB_ID > 0 ? 4 : 0))'")
ended "$good" success COMPLETED 0:0 succeeded None
ended "$bad" failure FAILED 1:0 failed None
check "failure, status of the program" 3 "$(told "$bad" exitStatus)"
check "failure, last line" "nothing to report" "$(told "$bad" lastLine)"
ended "$command" "a command" FAILED 1:0 failed None
check "a command, status of the program" 4 "$(told "$command" exitStatus)"
ended "$endless" "end of the budget" FAILED 11:0 overran budget
if [ "$tracking" = cgroup ]; then
    greedy=$(submit greedy --mem=200)
    ended "$greedy" "memory of the allocation" FAILED 13:0 exceededMemory None
fi
ended "$later" "deferral, with RequeueExit=75" COMPLETED 0:0 succeeded None
check "deferral, restarts" 1 "$(fact "$later" Restarts)"
check "deferral, attempt" 2 "$(told "$later" attempt)"

say "scancel"
careful=$(submit careful)
deaf=$(submit deaf)
batch=$(submit careful)
# The shell stays, and taskhost is its child, which linuxproc would lose with the shell.
shell=""
if [ "$tracking" = cgroup ]; then
    # shellcheck disable=SC2016
    edit='s/; exec taskhost/; taskhost/;$s/$/; :/'
    shell=$(submit careful)
    edit=""
fi
running "$careful"
running "$deaf"
running "$batch"
[ -z "$shell" ] || running "$shell"
scancel "$careful" "$deaf"
# shellcheck disable=SC2086
scancel --signal=TERM --batch "$batch" $shell
ended "$careful" scancel CANCELLED 10:0 expired hostStopping
check "scancel, last line" saved "$(told "$careful" lastLine)"
ended "$deaf" "scancel of a deaf handler" CANCELLED 16:0 interrupted hostStopping
ended "$batch" "scancel --signal=TERM --batch" FAILED 10:0 expired hostStopping
[ -z "$shell" ] || ended "$shell" "scancel --signal=TERM --batch without exec" FAILED 0:15 "no document" "no document"
for job in $careful $deaf $batch $shell; do
    await 30 "the processes of job $job end" gone "$job"
    check "scancel, processes left of job $job" "" "$(living "$(cat "$work/$job.tree")")"
done

say "A node fails"
fragile=$(submit fragile --requeue)
running "$fragile"
check "node failure, node before" "$one" "$(fact "$fragile" NodeList)"
# The daemon, the job's slurmstepd, and what that started.
tree "$(ps -o ppid= -p "$(cat "$work/$fragile.pid")" | tr -d ' ')" >"$work/$fragile.tree"
# shellcheck disable=SC2046
kill -KILL "$first" $(cat "$work/$fragile.tree") 2>/dev/null || true
await 30 "the processes of job $fragile end" gone "$fragile"
down() { sinfo -h -N -n "$one" -o %T | grep -q '^down'; }
await 120 "the node is down" down
ended "$fragile" "node failure" COMPLETED 0:0 succeeded None
check "node failure, node after" "$two" "$(fact "$fragile" NodeList)"
check "node failure, restarts" 1 "$(fact "$fragile" Restarts)"
check "node failure, attempt" 2 "$(told "$fragile" attempt)"
outcomes() { taskhost history --json --state "$work/jobs/state/$1" | python3 -c 'import json, sys
print(*[run["outcome"] for run in json.load(sys.stdin)["runs"]])'; }
check "node failure, the record" "succeeded interrupted" "$(outcomes "$fragile")"

say "What the grace beyond KillWait came to"
await 60 "the end of job $slow" over "$slow"
check "grace beyond KillWait, state of the job" CANCELLED "$(fact "$slow" JobState)"
await 30 "the processes of job $slow end" gone "$slow"
check "grace beyond KillWait, processes left" "" "$(living "$(cat "$work/$slow.tree")")"
# Another host of the state folder writes down what became of it.
taskhost run com.example.report.good --quiet --manifests "$work/jobs/report.json" --state "$work/jobs/state/$slow" >"$work/after.log" 2>&1
if [ "$tracking" = cgroup ]; then
    check "grace beyond KillWait, exit status" 0:9 "$(fact "$slow" ExitCode)"
    check "grace beyond KillWait, outcome" "no document" "$(told "$slow" outcome)"
    check "grace beyond KillWait, the record" "succeeded interrupted" "$(outcomes "$slow")"
else
    # One process after another is killed: the handler may be the first, and then it has ended within its grace.
    check "grace beyond KillWait, the record" "succeeded interrupted" "$(outcomes "$slow" | sed 's/expired$/interrupted/')"
fi

say "The time limits"
ended "$signalled" "--signal=B:TERM@30" FAILED 16:0 interrupted hostStopping
ended "$limit" "time limit" TIMEOUT 10:0 expired hostStopping
check "time limit, last line" saved "$(told "$limit" lastLine)"
for job in $limit $signalled; do
    await 30 "the processes of job $job end" gone "$job"
    check "time limit, processes left of job $job" "" "$(living "$(cat "$work/$job.tree")")"
done
say "$([ "$failures" -eq 0 ] && echo "All as documented" || echo "$failures checks failed")"
[ "$failures" -eq 0 ]
