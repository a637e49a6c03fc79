#!/bin/sh
# Copies what swiftc needs to build plugins in Swift: Tools/swift-install.sh BUILD FOLDER. See Tools/swift-flags.sh.
set -eu
build=$1
folder=$2
sources=$(cd "$(dirname "$0")/.." && pwd)/Sources
install -d "$folder/CTaskHost" "$folder/CApplication" "$folder/CCryptoKit" "$folder/UIKitClang" \
    "$folder/OSClang" "$folder/FrameworkNames" "$folder/CrossImport"
for module in BackgroundTasks UIKit SwiftUI Combine UserNotifications os OSLog CryptoKit TaskHostExtensions TaskHostFoundation \
    TaskHostRuntime TaskHostCoreFoundation TaskHostCoreGraphics TaskHostCoreLocation TaskHostNetwork \
    TaskHostSecurity TaskHostWidgetKit _Testing_UIKit TaskHostTesting TaskModel JSON Record Manifests Engine Scheduling; do
    install -m 644 "$build/Modules/$module.swiftmodule" "$build/Modules/$module.swiftdoc" "$folder/"
done
install -m 644 "$build/libTaskHostSDK.a" "$build/libTaskHostSwiftUI.a" "$build/libTaskHostCryptoKit.a" \
    "$build/libTaskHostTesting.a" "$folder/"
install -m 755 "$(dirname "$sources")/Tools/swift-flags.sh" "$folder/flags.sh"
install -m 644 "$sources"/CTaskHost/include/* "$folder/CTaskHost/"
install -m 644 "$sources"/SDK/CApplication/include/* "$folder/CApplication/"
install -m 644 "$sources"/SDK/CCryptoKit/include/* "$folder/CCryptoKit/"
install -m 644 "$sources"/SDK/UIKitClang/* "$folder/UIKitClang/"
install -m 644 "$sources"/SDK/OSClang/* "$folder/OSClang/"
install -m 644 "$sources"/SDK/FrameworkNames/* "$folder/FrameworkNames/"
install -m 644 "$sources"/SDK/CrossImport/* "$folder/CrossImport/"
# What pkg-config names: a script of the linker, because build tools take no flags from there that keep a whole archive.
cat >"$folder/libTaskHostPlugin.so" <<'END'
/* The symbols by which a host finds the application, and the archive that has them. */
EXTERN(taskhost_sdk_launch taskhost_sdk_run_main taskhost_sdk_call_main taskhost_sdk_event taskhost_sdk_state_changed)
EXTERN(taskhost_sdk_will_terminate taskhost_sdk_flush_output)
INPUT(-lTaskHostSDK -lTaskHostSwiftUI -lTaskHostCryptoKit -lswiftSynchronization AS_NEEDED(-lswiftObservation))
END
chmod 644 "$folder/libTaskHostPlugin.so"
