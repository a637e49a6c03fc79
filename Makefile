# taskhost: `make run` shows it at work, `make test` proves it. Both install what is missing (Debian packages).
SHELL := /bin/sh
SWIFT ?= swift
PREFIX ?= /usr/local
FLAGS := --explicit-target-dependency-import-check error -j $(shell nproc)
NEEDS := pkg-config:pkg-config libffi:libffi-dev sqlite3:libsqlite3-dev libseccomp:libseccomp-dev \
	libsystemd:libsystemd-dev libmicrohttpd:libmicrohttpd-dev libcurl:libcurl4-openssl-dev libcrypto:libssl-dev libpq:libpq-dev \
	nginx:nginx-light dbus-daemon:dbus python3-dbusmock:python3-dbusmock ip:iproute2 python3:python3 openssl:openssl groff:groff-base
BIN := .build/release
PLUGINS := libScrub.so libDatabaseCare.so libSeedSample.so libSeedBackgroundTime.so libSeedTransfers.so libFeedRefresh.so
MANIFESTS := $(wildcard manifests/*.json)
# What is installed and packaged is built by these. NATIVE: programs that run here, for what they say of themselves.
PROGRAMS := build
NATIVE = $(BIN)

# ARCH=arm64 on x86-64: programs built against Debian's libraries of that machine, without what needs Foundation.
CROSS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/taskhost/arm64
ifeq ($(ARCH)/$(shell uname -m),arm64/x86_64)
BIN := .build-arm64/release
NATIVE := .build/release
PROGRAMS += cross-arm64
PLUGINS := libScrub.so libDatabaseCare.so
MANIFESTS := $(filter-out %MeasurementSample.json %background-time.json %feed-refresh.json %transfers.json,$(MANIFESTS))
export TASKHOST_SYSROOT := $(CROSS)
# The toolchain's own are for any machine.
export OBJCOPY := $(shell dirname "$$(readlink -f "$$(command -v swiftc)")")/llvm-objcopy
export STRIP := $(OBJCOPY)
endif

.PHONY: build run demo-lifecycle demo-transfers demo-fleet test test-asan test-tsan test-kernel test-chroot test-machine test-fleet test-page test-page-quick bench fuzz fuzz-together lint format docs quickstarts install uninstall deb test-deb test-deb-machine test-deb-twice image clean require

require:
	@Tools/require.sh $(NEEDS)

# Two builds in one path make the same files: the compiler orders some of its work by hashes and addresses, which are fixed here
# (addresses where the kernel allows it), and names the state of its module cache in debug information, which is left out.
REPEATABLE := SWIFT_DETERMINISTIC_HASHING=1 $(shell setarch -R true 2>/dev/null && echo setarch -R)
build: require
	@$(REPEATABLE) $(SWIFT) build $(FLAGS) -c release -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs

# Programs, and the plugins that need no Foundation, for aarch64. The first time takes some minutes and 4 GB in CROSS.
.PHONY: cross-arm64
cross-arm64: require
	@Tools/arm64/sysroot.sh $(CROSS)
	@Tools/arm64/build.sh $(CROSS) .build-arm64 taskhost taskhost-worker taskhost-transfer Scrub DatabaseCare confinement-probe

# They in emulated machines with pages of 4 and of 16 KiB. The times of an emulation mean nothing. ARM64_OPTIONS: --only PART and the
# like; Tools/arm64/machine.py --help. Minutes.
.PHONY: test-arm64
test-arm64:
	@$(MAKE) -s deb ARCH=arm64 DEB=.build/deb-arm64
	@Tools/require.sh qemu-system-aarch64:qemu-system-arm mke2fs:e2fsprogs cpio:cpio
	@Tools/arm64/machine.py --sysroot $(CROSS) --packages .build/deb-arm64 --build .build-arm64/release $(ARM64_OPTIONS)

# The programs and the tests of pure logic, with the Swift compiler that Debian has; as root.
.PHONY: test-distribution-compiler
test-distribution-compiler:
	@Tools/distribution-compiler.sh $(dir $(CROSS))

# The checksum of this payload is what the crc32 example expects (the check value of CRC-32).
run: build
	@$(BIN)/taskhost run --all --manifests manifests --payload-text 123456789

# An application's life in a quarter of a minute, and the time line of a run between sleeps.
demo-lifecycle: build
	@Tools/demo-lifecycle.sh $(BIN)

# Downloads that go on while everything dies; the link is down for LINK_SECONDS (5; with 60 it takes a minute and a half).
demo-transfers: build
	@Tools/demo-transfers.sh $(BIN)

# Three hosts share a hundred requests while one is killed, one stands still and the database starts again.
demo-fleet: build
	@Tools/require.sh postgresql
	@Tools/demo-fleet.sh $(BIN)

# Runs as the jobs of a Slurm of our own, on loopback: a controller, two nodes, munge. Two minutes.
.PHONY: test-slurm
test-slurm: build
	@Tools/require.sh munged:munge slurmctld slurmd sbatch:slurm-client pgrep:procps
	@Tools/slurm-test.sh $(BIN)

# A fleet under faults: hosts, workers and databases die, links break, clocks step, disks fill. Minutes; parts need root.
# FLEET_OPTIONS: --only NAME, --seed N; Tools/fleet-faults.py --help.
test-fleet: build
	@Tools/require.sh postgresql libfaketime ip:iproute2 openssl
	@Tools/fleet-faults.py $(BIN) $(FLEET_OPTIONS)

# The same with a debug build, whose host, workers and database die at each named point of a claim. FLEET_OPTIONS: --point NAME,
# --only points-host. A quarter of an hour.
.PHONY: test-fleet-points
test-fleet-points: build-tests
	@Tools/fleet-faults.py .build/debug --points $(FLEET_OPTIONS)

# How PostgreSQL carries out each statement of a fleet with a million requests; FLEET_PLANS_OPTIONS: --rows N, --all. Minutes.
.PHONY: test-fleet-plans
test-fleet-plans: build
	@Tools/require.sh postgresql
	@Tools/fleet-plans.py $(BIN) $(FLEET_PLANS_OPTIONS)
FLEET_PLANS_OPTIONS ?=

# Which functions of the worker the linker lays side by side, found by following workers of each kind; as root, on x86-64.
.PHONY: worker-functions
worker-functions: build bench-plugins
	@Tools/worker-functions.py $(BIN)
	@rm -f $(BIN)/taskhost-worker

# All programs and tests, in one build.
.PHONY: build-tests
build-tests: require
	@Tools/require.sh postgresql
	@$(SWIFT) build $(FLAGS) --build-tests

# TEST_OPTIONS: --filter REGEX and the like; Tools/test.sh --help.
test: build-tests
	@Tools/require.sh zsh:zsh fish:fish ping:iputils-ping ip:iproute2
	@Tools/test.sh .build/debug $(TEST_OPTIONS)

# What is pure, in less than a minute after an edit: no process, no file, no clock. In a bundle of its own, with a quarter of the
# simulated machines.
.PHONY: test-quick
QUICK := --scratch-path .build-quick
test-quick: require
	@TASKHOST_TESTS=pure $(SWIFT) build $(FLAGS) $(QUICK) --build-tests
	@TASKHOST_SHARE=4 Tools/test.sh .build-quick/debug --results .build-quick/test-results $(TEST_OPTIONS)

# Sanitized builds live apart. LeakSanitizer is off: it reports what the test runner itself leaves. The backtracer is off: it
# would look into a process that the thread sanitizer has stopped, and end both. Uses of a stack after return are not searched for:
# the address sanitizer's place for them is at times gone in a child that clone3 made, and its own code ends that then.
SANITIZER_OPTIONS := SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0
test-asan: require
	@TASKHOST_SANITIZER=address $(SANITIZER_OPTIONS) $(SWIFT) test $(FLAGS) --sanitize=address \
		--scratch-path .build-address $(SANITIZED)
test-tsan: require
	@mkdir -p .build-thread
	@clang -std=c17 -O1 -fPIC -Wall -Wextra -Werror -c -o $(MUTEX) Tools/thread-sanitizer-mutex.c
	@TASKHOST_SANITIZER=thread TASKHOST_MUTEX=$(MUTEX) $(SANITIZER_OPTIONS) $(SWIFT) test $(FLAGS) --sanitize=thread \
		-Xlinker $(MUTEX) --scratch-path .build-thread $(THREADED)
MUTEX := $(CURDIR)/.build-thread/mutex.o
# What runs in the test process itself, in the worker that WorkerTests launch, and in the applications of SDKTests and TaskHostTestingTests. What drives
# the other built programs says nothing about them. Fuzzing is apart.
SANITIZED ?= --filter \
	'TaskModelTests|EngineTests|SchedulingTests|CalendarTests|WireTests|ManifestsTests|StoreTests|WorkerTests|ControlTests|PageDoorTests|ConditionsTests|SDKTests|TaskHostTestingTests'
# Of these the ones with threads; the others' modules have none.
THREADED ?= --filter 'StoreTests|WorkerTests|ControlTests|PageDoorTests|ConditionsTests|SDKTests|TaskHostTestingTests'

# One life of a host for each use of each kernel call, in host, zygote, worker and transfer process; `make test` plays a
# sample.
test-kernel: build-tests
	@TASKHOST_FULL=1 Tools/test.sh .build/debug --filter PlayedHostTests --results .build/test-results-whole
# Everything that `make test` plays a sample of.
.PHONY: test-whole
test-whole: build-tests
	@TASKHOST_FULL=1 Tools/test.sh .build/debug --results .build/test-results-whole

# The page in Chromium: its acceptance, or what of it takes a minute and a half.
test-page: build
	@Tools/test-page.sh $(BIN) all
test-page-quick: build
	@Tools/test-page.sh $(BIN) quick

# As many targets at once as there are processors, or all.
FUZZ_SECONDS ?= 60
fuzz: require
	@Fuzz/run.sh $(FUZZ_SECONDS)
fuzz-together: require
	@Fuzz/run.sh --together $(FUZZ_SECONDS)

# Hostile applications, people and a killing hand against a daemon with real processes.
.PHONY: fuzz-applications
fuzz-applications: build-tests
	@sh Tests/Fixtures/build.sh .build/fuzz/fixtures
	@Fuzz/Applications/play.py --programs .build/debug --fixtures .build/fuzz/fixtures --seconds $(FUZZ_SECONDS) $(FUZZ_OPTIONS)

# A daemon of an older commit dies at each of its named points; this tree's goes on with its record.
.PHONY: test-upgrade
OLD ?= HEAD~1
test-upgrade: build-tests
	@sh Tests/Fixtures/build.sh .build/fuzz/fixtures
	@Tools/upgrade-test.py $(OLD)

# The documents as a site in .build/docs: guides, references, the symbols of SDK and modules. A dead link is an error.
docs: build-tests
	@Tools/docs.sh .build/docs
# The quick starts, followed as a reader would.
quickstarts:
	@Tools/quickstarts.py

LIBRARY := $(DESTDIR)$(PREFIX)/lib/taskhost
# The tree finds its own libraries wherever it is moved to; what it needs of the system stands in lib/taskhost/packages.
COMPLETIONS := bash-completion/completions zsh/site-functions fish/vendor_completions.d
VERSION := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/Setting/Release.swift)
# Files that name places of the installation: SOURCE:PLACE.
NAMING := systemd/taskhost.service:systemd/system/taskhost.service systemd/user/taskhost.service:systemd/user/taskhost.service \
	systemd/tmpfiles.conf:tmpfiles.d/taskhost.conf pkgconfig/taskhost.pc:../share/pkgconfig/taskhost.pc \
	pkgconfig/taskhost-swift.pc:../share/pkgconfig/taskhost-swift.pc taskhost-config.cmake:../share/cmake/taskhost/taskhost-config.cmake
install: $(PROGRAMS)
	@Tools/require.sh patchelf strip:binutils libxml2.so.2:libxml2
	@install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/taskhost $(DESTDIR)$(PREFIX)/include \
		$(DESTDIR)$(PREFIX)/share/taskhost/manifests $(LIBRARY)/plugins $(LIBRARY)/runtime
	@Tools/runtime.sh $(LIBRARY)/runtime $(addprefix $(BIN)/,taskhost taskhost-worker taskhost-transfer $(PLUGINS))
	@Tools/place.sh 755 '$$ORIGIN/../lib/taskhost/runtime' $(DESTDIR)$(PREFIX)/bin $(BIN)/taskhost
	@Tools/place.sh 755 '$$ORIGIN/../../lib/taskhost/runtime' $(DESTDIR)$(PREFIX)/libexec/taskhost \
		$(BIN)/taskhost-worker $(BIN)/taskhost-transfer
	@Tools/place.sh 644 '$$ORIGIN/../runtime' $(LIBRARY)/plugins $(addprefix $(BIN)/,$(PLUGINS))
	@install -m 644 Sources/CTaskHost/include/*.h $(DESTDIR)$(PREFIX)/include/
	@install -m 644 $(MANIFESTS) $(DESTDIR)$(PREFIX)/share/taskhost/manifests/
	@install -d $(DESTDIR)$(PREFIX)/lib/systemd/catalog
	@install -m 644 Distribution/taskhost.catalog $(DESTDIR)$(PREFIX)/lib/systemd/catalog/
	@install -m 644 Distribution/alerts.yml $(DESTDIR)$(PREFIX)/share/taskhost/
	@install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,$(COMPLETIONS))
	@$(NATIVE)/taskhost completion bash >$(DESTDIR)$(PREFIX)/share/$(word 1,$(COMPLETIONS))/taskhost
	@$(NATIVE)/taskhost completion zsh >$(DESTDIR)$(PREFIX)/share/$(word 2,$(COMPLETIONS))/_taskhost
	@$(NATIVE)/taskhost completion fish >$(DESTDIR)$(PREFIX)/share/$(word 3,$(COMPLETIONS))/taskhost.fish
	@install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5
	@Tools/man.sh $(NATIVE)/taskhost $(VERSION) >$(DESTDIR)$(PREFIX)/share/man/man1/taskhost.1
	@Tools/man-schema.py manifests/schema.json taskhost-manifest $(VERSION) \
		>$(DESTDIR)$(PREFIX)/share/man/man5/taskhost-manifest.5
	@Tools/man-schema.py Documentation/config.schema.json taskhost-config $(VERSION) \
		>$(DESTDIR)$(PREFIX)/share/man/man5/taskhost-config.5
	@[ -n "$$TASKHOST_SYSROOT" ] || Tools/swift-install.sh $(BIN) $(LIBRARY)/swift
	@for pair in $(NAMING); do \
		install -d $(DESTDIR)$(PREFIX)/lib/$$(dirname $${pair#*:}) && \
		sed -e 's#@PREFIX@#$(PREFIX)#g' -e 's#@VERSION@#$(VERSION)#g' Distribution/$${pair%:*} \
			>$(DESTDIR)$(PREFIX)/lib/$${pair#*:} && chmod 644 $(DESTDIR)$(PREFIX)/lib/$${pair#*:} || exit 1; \
	done
	@Tools/packages.sh $(LIBRARY)/runtime $(DESTDIR)$(PREFIX)/bin/taskhost \
		$(addprefix $(DESTDIR)$(PREFIX)/libexec/taskhost/,taskhost-worker taskhost-transfer) \
		$(addprefix $(LIBRARY)/plugins/,$(PLUGINS)) \
		>$(LIBRARY)/packages
	@echo "installed to $(DESTDIR)$(PREFIX); another machine needs these packages: $$(tr '\n' ' ' <$(LIBRARY)/packages)"

# What `make install` with the same PREFIX and DESTDIR has placed. Manifests, configuration and records of the user stay.
uninstall:
	@rm -rf $(LIBRARY) $(DESTDIR)$(PREFIX)/libexec/taskhost $(DESTDIR)$(PREFIX)/share/taskhost \
		$(DESTDIR)$(PREFIX)/share/cmake/taskhost
	@rm -f $(DESTDIR)$(PREFIX)/bin/taskhost \
		$(addprefix $(DESTDIR)$(PREFIX)/include/,$(notdir $(wildcard Sources/CTaskHost/include/*.h))) \
		$(foreach pair,$(NAMING),$(DESTDIR)$(PREFIX)/lib/$(lastword $(subst :, ,$(pair)))) \
		$(DESTDIR)$(PREFIX)/lib/systemd/catalog/taskhost.catalog \
		$(DESTDIR)$(PREFIX)/share/man/man1/taskhost.1 \
		$(DESTDIR)$(PREFIX)/share/man/man5/taskhost-manifest.5 $(DESTDIR)$(PREFIX)/share/man/man5/taskhost-config.5 \
		$(DESTDIR)$(PREFIX)/share/$(word 1,$(COMPLETIONS))/taskhost \
		$(DESTDIR)$(PREFIX)/share/$(word 2,$(COMPLETIONS))/_taskhost \
		$(DESTDIR)$(PREFIX)/share/$(word 3,$(COMPLETIONS))/taskhost.fish

# Debian packages in .build/deb.
DEB := .build/deb
deb: $(PROGRAMS)
	@Tools/deb.sh $(DEB) $(BIN) taskhost taskhost-worker taskhost-transfer $(PLUGINS)
# They are installed, upgraded and purged in a new Debian system; minutes, and root.
test-deb: deb
	@TASKHOST_VERSION=$(VERSION)+1 Tools/deb.sh $(DEB)-newer $(BIN) taskhost taskhost-worker taskhost-transfer $(PLUGINS)
	@lintian --fail-on error,warning $(DEB)/*.deb
	@Tools/deb-test.sh $(DEB) $(DEB)-newer
# The same under systemd, in a virtual machine that TASKHOST_MACHINES/vm.py makes.
test-deb-machine:
	@Tools/machine-packages.py $(DEB) $(DEB)-newer
# Whether a second build of the same sources gives the same packages.
test-deb-twice: deb
	@Tools/deb-twice.sh $(DEB)

# A container image of the package in .build/image, tried once; as root.
image: deb
	@Tools/image.sh $(DEB) .build/image

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
	@Tools/require.sh tsc:node-typescript
	@Tools/page-lint.sh & page=$$!; failed=0; \
		$(SWIFT) format lint --strict --recursive Package.swift Sources Plugins Tests Benchmarks || failed=1; \
		Tools/lint.sh || failed=1; wait $$page || failed=1; exit $$failed

format:
	@$(SWIFT) format --in-place --recursive Package.swift Sources Plugins Tests Benchmarks

include Benchmarks/bench.mk

clean:
	@rm -rf .build .build-*
