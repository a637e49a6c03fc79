#!/bin/sh
# Copies what swiftc needs to build plugins in Swift: Tools/swift-install.sh BUILD FOLDER. See Tools/swift-flags.sh.
set -eu
build=$1
folder=$2
sources=$(cd "$(dirname "$0")/.." && pwd)/Sources
install -d "$folder/CTaskHost" "$folder/CApplication" "$folder/UIKitClang" "$folder/OSClang" \
    "$folder/CrossImport"
for module in BackgroundTasks UIKit Combine UserNotifications os OSLog TaskHostExtensions TaskHostFoundation TaskHostRuntime \
    _Testing_UIKit; do
    install -m 644 "$build/Modules/$module.swiftmodule" "$build/Modules/$module.swiftdoc" "$folder/"
done
install -m 644 "$build/libTaskHostSDK.a" "$folder/"
install -m 755 "$(dirname "$sources")/Tools/swift-flags.sh" "$folder/flags.sh"
install -m 644 "$sources"/CTaskHost/include/* "$folder/CTaskHost/"
install -m 644 "$sources"/SDK/CApplication/include/* "$folder/CApplication/"
install -m 644 "$sources"/SDK/UIKitClang/* "$folder/UIKitClang/"
install -m 644 "$sources"/SDK/OSClang/* "$folder/OSClang/"
install -m 644 "$sources"/SDK/CrossImport/* "$folder/CrossImport/"
