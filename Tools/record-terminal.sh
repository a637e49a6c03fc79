#!/bin/sh
# Records the terminal of Documentation/Tour.md: Tools/record-terminal.sh BIN OUTPUT.svg
# The commands are run, and what they print is what the picture shows; only the pauses between keys are made.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/Tools/require.sh" termtosvg:termtosvg
bin=$(cd "$1" && pwd)
output=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A host of the recording's own.
chmod 755 "$folder"
mkdir "$folder/bin"
printf '#!/bin/sh\nexec "%s/taskhost" "$@" --state "%s/state"\n' "$bin" "$folder" >"$folder/bin/taskhost"
cat >"$folder/session" <<'EOF'
#!/bin/bash
type_in() {
    printf '\e[32m$\e[0m '
    sleep 0.8
    for ((at = 0; at < ${#1}; at++)); do
        printf '%s' "${1:at:1}"
        sleep 0.04
    done
    echo
    eval "$1"
    sleep "${2:-2}"
}
type_in "taskhost run scrub --settings '{\"folder\": \"/usr/share/doc\"}'" 4
type_in 'taskhost serve 2>/dev/null &' 1
type_in 'taskhost device set power=battery cpu=nominal >/dev/null' 1
type_in 'taskhost submit walk --requires-power' 3
type_in 'taskhost why walk' 5
type_in 'taskhost device set power=external >/dev/null' 1
type_in 'taskhost history --limit 2' 5
kill %1
EOF
chmod +x "$folder/bin/taskhost" "$folder/session"
cd "$root"
# It wants a terminal that stays open.
export PATH="$folder/bin:$PATH" TERM=xterm-256color
sleep 60 | script -qec "termtosvg '$output' -c '$folder/session' -g 120x30 -D 4000 -m 40 -M 4000 -t solarized_dark" /dev/null >/dev/null
