#!/bin/sh
# Pictures of every view of the page in Documentation/Pictures, with example tasks at work.
# Usage: Tools/page-pictures.sh BIN [FOLDER]
set -eu
bin=$1
cd "$(dirname "$0")/.."
folder=${2:-Documentation/Pictures}
Tools/require.sh pngquant:pngquant optipng:optipng
. Tools/page-venv.sh
mkdir -p "$folder"
BIN=$bin "$venv/bin/python" -B Tests/Page/pictures.py "$folder"
for picture in "$folder"/*.png; do
    pngquant --force --skip-if-larger --quality 70-95 --speed 1 --strip --output "$picture" "$picture" || [ $? -eq 98 ]
    optipng -quiet -o2 "$picture"
done
ls -l "$folder"
