#!/bin/sh
# Makes the seeds in corpus/elf: one small library in every flavour that the reader must know, and files that are no library.
# They are kept in the tree, so this is only needed to change them. Needs cc for x86_64, and clang with ld.lld for the others.
set -eu
out=$(cd "$(dirname "$0")" && pwd)/corpus/elf
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >library.c <<'C'
int exported(int x) { return x + 1; }
int object_symbol = 7;
__attribute__((weak)) int weak_function(void) { return 1; }
__attribute__((visibility("hidden"))) int hidden_function(void) { return 2; }
__attribute__((visibility("protected"))) int protected_function(void) { return 3; }
static int local_function(void) { return 4; }
_Thread_local int thread_symbol = 5;
extern int undefined_function(void);
int (*keep[])(void) = {hidden_function, local_function, undefined_function};
C
cat >versions.c <<'C'
int old_api(void) { return 1; }
int new_api(void) { return 2; }
int gone(void) { return 3; }
__asm__(".symver old_api, api@V1");
__asm__(".symver new_api, api@@V2");
__asm__(".symver gone, retired@V1");
C
cat >symbols.c <<'C'
static __attribute__((noinline)) int local_function(int x) { return x * 3 + 1; }
int exported(int x) { return local_function(x) + 1; }
C
echo 'V1 { }; V2 { } V1;' >versions.map
echo 'int main(void) { return 0; }' >program.c
small="-Os -s -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,--build-id=none"
shared="-shared -fPIC -nostdlib"
for hash in gnu sysv both; do
    cc $shared $small -Wl,--hash-style=$hash -Wl,--no-as-needed library.c -o "$out/x86_64-$hash.so" -lz
done
cc $shared $small -Wl,--version-script=versions.map versions.c -o "$out/x86_64-versions.so"
cc $shared ${small#-Os -s} -O1 symbols.c -o "$out/x86_64-symbols.so"
cc $small program.c -o "$out/x86_64-program"
cc -c -Os library.c -o "$out/x86_64-object"
for machine in aarch64 powerpc i386; do
    clang --target=$machine-linux-gnu $shared -fuse-ld=lld -Os -s library.c -o "$out/$machine.so"
done
