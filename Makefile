# taskhost: `make run` shows it at work, `make test` proves it. Both install what is missing (Debian packages).
SHELL := /bin/sh
SWIFT ?= swift
PREFIX ?= /usr/local
FLAGS := --explicit-target-dependency-import-check error -j 2
NEEDS := pkg-config:pkg-config libffi:libffi-dev sqlite3:libsqlite3-dev libseccomp:libseccomp-dev \
	libsystemd:libsystemd-dev libmicrohttpd:libmicrohttpd-dev libcurl:libcurl4-openssl-dev libcrypto:libssl-dev \
	nginx:nginx-light dbus-daemon:dbus python3-dbusmock:python3-dbusmock ip:iproute2 python3:python3 openssl:openssl
BIN := .build/release

.PHONY: build run demo-lifecycle demo-transfers test test-asan test-tsan test-kernel test-chroot test-machine bench fuzz fuzz-together lint format docs install clean require

require:
	@Tools/require.sh $(NEEDS)

build: require
	@$(SWIFT) build $(FLAGS) -c release

# The checksum of this payload is what the crc32 example expects (the check value of CRC-32).
run: build
	@$(BIN)/taskhost run --all --manifests manifests --payload-text 123456789

# An application's life in a quarter of a minute, and the time line of a run between sleeps.
demo-lifecycle: build
	@Tools/demo-lifecycle.sh $(BIN)

# Downloads that go on while everything dies; the link is down for LINK_SECONDS (5; with 60 it takes a minute and a half).
demo-transfers: build
	@Tools/demo-transfers.sh $(BIN)

test: require
	@$(SWIFT) build $(FLAGS)
	@Tools/test.sh $(SWIFT) test $(FLAGS)

# Sanitized builds live apart. LeakSanitizer is off: it reports what the test runner itself leaves. The backtracer is off: it
# would look into a process that the thread sanitizer has stopped, and end both.
SANITIZER_OPTIONS := SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
test-asan: require
	@TASKHOST_SANITIZER=address $(SANITIZER_OPTIONS) $(SWIFT) test $(FLAGS) --sanitize=address \
		--scratch-path .build-address $(SANITIZED)
test-tsan: require
	@mkdir -p .build-thread
	@clang -std=c17 -O1 -fPIC -Wall -Wextra -Werror -c -o $(MUTEX) Tools/thread-sanitizer-mutex.c
	@TASKHOST_SANITIZER=thread TASKHOST_MUTEX=$(MUTEX) $(SANITIZER_OPTIONS) $(SWIFT) test $(FLAGS) --sanitize=thread \
		-Xlinker $(MUTEX) --scratch-path .build-thread $(SANITIZED)
MUTEX := $(CURDIR)/.build-thread/mutex.o
# What runs in the test process itself, in the worker that WorkerTests launch, and in the applications of SDKTests. What drives
# the other built programs says nothing about them. Fuzzing is apart.
SANITIZED ?= --filter \
	'TaskModelTests|EngineTests|SchedulingTests|CalendarTests|WireTests|ManifestsTests|StoreTests|WorkerTests|ControlTests|ConditionsTests|SDKTests'

# One life of a host for each use of each kernel call, in host, zygote, worker and transfer process; `make test` plays a
# sample.
test-kernel: require
	@TASKHOST_FULL=1 $(SWIFT) test $(FLAGS) --filter PlayedHostTests

# As many targets at once as there are processors, or all.
FUZZ_SECONDS ?= 60
fuzz: require
	@Fuzz/run.sh $(FUZZ_SECONDS)
fuzz-together: require
	@Fuzz/run.sh --together $(FUZZ_SECONDS)

# The modules' documentation as web pages in .build/docs.
docs: require
	@Tools/docs.sh .build/docs

LIBRARY := $(DESTDIR)$(PREFIX)/lib/taskhost
PLUGINS := libScrub.so libDatabaseCare.so libSeedSample.so libSeedBackgroundTime.so libSeedTransfers.so libFeedRefresh.so
# The tree finds its own libraries wherever it is moved to; what it needs of the system stands in lib/taskhost/packages.
install: build
	@Tools/require.sh patchelf strip:binutils libxml2.so.2:libxml2
	@install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/taskhost $(DESTDIR)$(PREFIX)/include \
		$(DESTDIR)$(PREFIX)/share/taskhost/manifests $(LIBRARY)/plugins $(LIBRARY)/runtime
	@Tools/runtime.sh $(LIBRARY)/runtime $(BIN)/taskhost $(BIN)/taskhost-worker $(BIN)/taskhost-transfer
	@Tools/place.sh 755 '$$ORIGIN/../lib/taskhost/runtime' $(DESTDIR)$(PREFIX)/bin $(BIN)/taskhost
	@Tools/place.sh 755 '$$ORIGIN/../../lib/taskhost/runtime' $(DESTDIR)$(PREFIX)/libexec/taskhost \
		$(BIN)/taskhost-worker $(BIN)/taskhost-transfer
	@Tools/place.sh 644 '$$ORIGIN/../runtime' $(LIBRARY)/plugins $(addprefix $(BIN)/,$(PLUGINS))
	@install -m 644 Sources/CTaskHost/include/*.h $(DESTDIR)$(PREFIX)/include/
	@install -m 644 manifests/*.json $(DESTDIR)$(PREFIX)/share/taskhost/manifests/
	@Tools/swift-install.sh $(BIN) $(LIBRARY)/swift
	@Tools/packages.sh $(LIBRARY)/runtime $(DESTDIR)$(PREFIX)/bin/taskhost \
		$(addprefix $(DESTDIR)$(PREFIX)/libexec/taskhost/,taskhost-worker taskhost-transfer) \
		$(addprefix $(LIBRARY)/plugins/,$(PLUGINS)) \
		>$(LIBRARY)/packages
	@echo "installed to $(DESTDIR)$(PREFIX); another machine needs these packages: $$(tr '\n' ' ' <$(LIBRARY)/packages)"

# The installed tree in a new Debian system without a toolchain; minutes, and root.
test-chroot: build
	@rm -rf .build/tree
	@$(MAKE) -s -o build install DESTDIR=$(CURDIR)/.build/tree PREFIX=/usr/local
	@Tools/chroot-test.sh .build/tree

# The installed tree in virtual machines, which TASKHOST_MACHINES/vm.py makes; minutes, and root.
test-machine: build
	@rm -rf .build/tree
	@$(MAKE) -s -o build install DESTDIR=$(CURDIR)/.build/tree PREFIX=/usr
	@Tools/machine-test.py .build/tree $(KERNELS)

lint:
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Plugins Tests Benchmarks
	@Tools/lint.sh

format:
	@$(SWIFT) format --in-place --recursive Package.swift Sources Plugins Tests Benchmarks

include Benchmarks/bench.mk

clean:
	@rm -rf .build .build-*
