# Sets venv to a Python environment that drives Chromium, and makes it when it is missing; for other scripts of this folder.
Tools/require.sh chromium:chromium python3-venv:python3-venv
venv=.build/page-venv
pinned="playwright==1.65.2 axe-playwright-python==0.1.8"
if [ "$(cat "$venv/pinned" 2>/dev/null)" != "$pinned" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    # Chromium is Debian's: no browser is downloaded.
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --disable-pip-version-check $pinned
    echo "$pinned" >"$venv/pinned"
fi
