#!/bin/sh
# What the formatter cannot see: floors (Tools/floors) and file lengths.
set -u
failed=0
# Files past 600 lines are refused.
for file in $(git ls-files 'Sources/*' 'Plugins/*' 'Tests/*' | grep -E '\.(swift|c|h|cpp)$'); do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 600 ]; then
        echo "lint: $file has $lines lines; split it (600 at most)" >&2
        failed=1
    fi
done
# Imports against the floors: a line for each module of Sources and each module of ours that it imports.
imports=$(git ls-files 'Sources/*.swift' | xargs grep -HE '^((@[A-Za-z_]+(\([A-Za-z_]*\))?|package|public|internal|private) )*import ' |
    sed -E 's|^Sources/([^/]+)/[^:]*:.*import ([a-z]+ )?([A-Za-z_]+).*|\1 \3|' | sort -u)
echo "$imports" | awk '
    FILENAME != "-" {
        if ($1 == "floor") { height += 1; for (i = 2; i <= NF; i++) floor[$i] = height }
        if ($1 == "apart") for (i = 3; i <= NF; i++) apart[$2, $i] = 1
        if ($1 == "apart") isApart[$2] = 1
        if ($1 == "only") for (i = 3; i <= NF; i++) { single[$2] = 1; may[$2, $i] = 1 }
        next
    }
    $1 in isApart { if (($2 in floor) && !(($1, $2) in apart)) fault($1 " stands apart and imports " $2); next }
    !($1 in floor) { fault("Sources/" $1 " has no floor in Tools/floors") ; next }
    ($2 in floor) && floor[$2] >= floor[$1] { fault($1 " imports " $2 ", which is not below it") }
    ($2 in single) && !(($2, $1) in may) { fault($1 " imports " $2 ", which others do for it") }
    function fault(text) { print "lint: " text "; see Tools/floors" >"/dev/stderr"; failed = 1 }
    END { exit failed }' Tools/floors - || failed=1
# The picture of the floors: each row of the table has the modules of its floor, each in its own code quotes.
awk '
    FILENAME == "Tools/floors" { if ($1 == "floor") { height += 1; for (i = 2; i <= NF; i++) floor[$i] = height }; next }
    /^\| [0-9]+ / {
        row = $2
        rows += 1
        while (match($0, /`[A-Za-z-]+`/)) {
            name = substr($0, RSTART + 1, RLENGTH - 2)
            $0 = substr($0, RSTART + RLENGTH)
            if ((name in floor) && floor[name] == row) shown[name] = 1
        }
    }
    END {
        for (name in floor) if (!(name in shown)) { print "lint: the table of floors lacks " name " on floor " floor[name] "; Documentation/Architecture.md; see Tools/floors" >"/dev/stderr"; failed = 1 }
        if (rows != height) { print "lint: the table of floors has " rows " of " height " floors; Documentation/Architecture.md; see Tools/floors" >"/dev/stderr"; failed = 1 }
        exit failed
    }' Tools/floors Documentation/Architecture.md || failed=1
# The tables of the host's parts, one for each of its modules: each part is a type of the module, and each folder of the module is
# named there.
parts=$(sed -n "/^## The host's parts/,/^## A turn/p" Documentation/Architecture.md |
    awk -F'|' '/^\| part of / { split($2, words, "`"); module = words[2] } /^\| `/ { print module " " $2 }')
for module in Setting Host Serving; do
    rows=$(echo "$parts" | sed -n "s/^$module //p")
    for part in $(echo "$rows" | sed 's/([^)]*)//g' | grep -oE '`[A-Za-z]+`' | tr -d '`'); do
        git ls-files "Sources/$module/*.swift" | xargs grep -qE "\b(class|struct|enum) $part\b" || {
            echo "lint: the part $part is no type of $module; the tables of the host's parts; Documentation/Architecture.md" >&2
            failed=1
        }
    done
    for folder in $(git ls-files "Sources/$module/*/*" | cut -d/ -f3 | sort -u); do
        echo "$rows" | grep -q "(\`$folder\`)" || {
            echo "lint: the folder Sources/$module/$folder is in no row of the host's parts; Documentation/Architecture.md" >&2
            failed=1
        }
    done
done
# The kernel's door: who is behind it imports neither CLinux nor the C library.
doors=$(sed -n 's/^door //p' Tools/floors)
apart=$(sed -n 's/^apart \([^ ]*\).*/\1/p' Tools/floors | tr '\n' ' ')
for file in $(git ls-files 'Sources/*.swift' |
    xargs grep -lE '^((@[A-Za-z_]+(\([A-Za-z_]*\))?|package|public|internal|private) )*import (CLinux|Glibc|Foundation)\b'); do
    folder=$(dirname "${file#Sources/}")
    case " Linux $apart " in *" ${folder%%/*} "*) continue ;; esac
    case " $doors " in *" $folder "*) continue ;; esac
    echo "lint: $file imports CLinux or Glibc; call the kernel in Linux; see Tools/floors" >&2
    failed=1
done
# Modules without unsafe code do not mark any either.
for module in $(sed -n 's/^safe //p' Tools/floors); do
    marks=$(git ls-files "Sources/$module/*.swift" | xargs grep -nwE 'unsafe' | grep -v ':[[:space:]]*//')
    if [ -n "$marks" ]; then
        echo "lint: $marks: $module has no unsafe code; see Tools/floors" >&2
        failed=1
    fi
done
# Comments cite what a reader has: no document outside the repository.
outside=$(git ls-files Sources Tests Tools Plugins Benchmarks Fuzz | grep -E '\.(swift|c|h|cpp|py|sh)$' |
    xargs grep -nE '(DESIGN|reference) §[0-9]')
if [ -n "$outside" ]; then
    echo "lint: $outside: cites a document that is not in the repository; name the man page or the page of Apple's" >&2
    failed=1
fi
# The decider is closed: others ask and command engine, scheduler and transfer queue by its own names.
inside=$(git ls-files 'Sources/*.swift' | grep -v '^Sources/Host/Deciding/' |
    xargs grep -nE '\bdecider\??\.(engine|scheduler|transfers)\b')
if [ -n "$inside" ]; then
    echo "lint: $inside: reaches into the decider; give it a question or command in Sources/Host/Deciding" >&2
    failed=1
fi
# Compilers differ about `number == .max - 1`: 6.2 compares with Int.max - 1, of another type than the number's, 6.3 with the number's.
implied=$(git ls-files 'Package.swift' 'Sources/*.swift' 'Plugins/*.swift' 'Tests/*.swift' 'Benchmarks/*.swift' |
    xargs grep -nE '(==|!=|<=|>=|[^-]<|[^-]>) *\(?(\.(max|min)\b *[-+*/%&|^<>] ?[^&|]|~[0-9(])|(^|[^a-zA-Z0-9_)>`])(\.(max|min) *[-+*/%] *[0-9_]+|[ (]?\(\.(max|min) *[-+*/%] *[0-9_]+\)) *(==|!=|<|>)' |
    grep -vE '^[^:]*:[0-9]*: *//')
if [ -n "$implied" ]; then
    echo "lint: $implied: compares with arithmetic of an implied type; write the type before it, such as UInt32.max - 1" >&2
    failed=1
fi
# The library of Swift 6.2 rethrows any error from withUnsafeTemporaryAllocation, that of 6.3 the one that the closure throws.
typed=$(git ls-files 'Sources/*.swift' 'Plugins/*.swift' | xargs grep -nE 'withUnsafeTemporaryAllocation\(.*throws\(')
if [ -n "$typed" ]; then
    echo "lint: $typed: throws a typed error through a function of an older library; allocate, or return a Result" >&2
    failed=1
fi
# A type's name means one thing in all modules of the floors.
twice=$(grep -rnE '^(@[a-zA-Z]+(\([^)]*\))? )*(package |public |final |indirect )*(struct|enum|class|actor|protocol) [A-Z]' Sources \
    --include='*.swift' | grep -v '^Sources/\(SDK\|TaskHostTesting\)/' \
    | sed -E 's#^Sources/([^/]*)/[^:]*:[0-9]*:.*(struct|enum|class|actor|protocol) ([A-Za-z0-9_]+).*#\3 \1#' | sort -u \
    | awk '{ modules[$1] = modules[$1] " " $2; count[$1]++ } END { for (name in count) if (count[name] > 1) print name ":" modules[name] }')
if [ -n "$twice" ]; then
    printf 'lint: two modules have a type of one name; %s; rename one\n' "$twice" >&2
    failed=1
fi
exit $failed
