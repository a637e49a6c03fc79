#!/bin/sh
# Prints the manual page of the program, from what its verbs say of themselves: Tools/man.sh PROGRAM VERSION
set -eu
program=$1
version=$2
# Text as it is: no request and no escape of roff in it.
verbatim() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\\([.']\\)/\\\\\\&\\1/"; }
verbs=$("$program" --help | sed -n '/^usage:/,/^Manifests/{ s/^  \([a-z][a-z]*\)  *.*/\1/p; s/^\([a-z][a-z]*\)   *.*/\1/p }')
[ -n "$verbs" ] || { echo "man.sh: $program --help lists no verbs" >&2; exit 1; }
cat <<END
.TH TASKHOST 1 "" "taskhost $version" "User commands"
.SH NAME
taskhost \\- deferrable work with budgets, conditions and a record
.SH SYNOPSIS
.B taskhost
.I VERB
[options]
.SH DESCRIPTION
.nf
END
"$program" --help | verbatim
echo ".fi"
echo ".SH VERBS"
for verb in $verbs; do
    printf '.SS taskhost %s\n.nf\n' "$verb"
    "$program" "$verb" --help | verbatim
    echo ".fi"
done
cat <<'END'
.SH FILES
.TP
.I /etc/taskhost/manifests
manifests of the machine's host
.TP
.I /etc/taskhost/config.json
its configuration
.TP
.I /var/lib/taskhost
its record and the applications' folders
.SH SEE ALSO
.BR taskhost-manifest (5),
.BR taskhost-config (5),
.BR systemd (1),
.BR crontab (5)
END
