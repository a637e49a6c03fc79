# `make bench`: references, plugins under measurement, and the driver that compares. Included by the Makefile.
BENCH := .build/bench
BENCH_CFLAGS := -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Wno-unused-function
BENCH_PLUGINS := $(BENCH)/plugins
BENCH_OPTIONS ?=

bench: build bench-needs bench-references bench-plugins bench-counted
	@$(BIN)/taskhost-bench --binaries $(BIN) --references $(BENCH) --plugins $(BENCH_PLUGINS) \
		--thresholds Benchmarks/thresholds.json --results Benchmarks/results.json $(BENCH_OPTIONS)

# What a warm run costs in system calls, allocations and instructions, and a submission in instructions, which no neighbour
# changes.
.PHONY: bench-counts bench-counted
bench-counts: build bench-plugins bench-counted $(BENCH)/malloccount.so
	@Tools/require.sh strace:strace
	@$(BIN)/taskhost-bench --binaries $(BIN) --references $(BENCH) --plugins $(BENCH_PLUGINS) \
		--thresholds Benchmarks/thresholds.json --only calls,allocations,launches,instructions

# What lives under valgrind, without the debug information that it may not understand.
COUNTED := taskhost taskhost-worker taskhost-transfer taskhost-bench-requests
bench-counted: build $(BENCH)/undervalgrind.so
	@Tools/require.sh valgrind:valgrind strip:binutils
	@install -d $(BENCH)/counted
	@for program in $(COUNTED); do strip --strip-debug -o $(BENCH)/counted/$$program $(BIN)/$$program || exit 1; done

# Processor time of a warm run of this tree beside that of a commit, built in .build/against: make bench-against REV=COMMIT.
.PHONY: bench-against
AGAINST_OPTIONS ?=
bench-against: build bench-plugins
	@Tools/require.sh python3:python3 git:git
	@python3 Benchmarks/against.py '$(REV)' $(AGAINST_OPTIONS)
ifneq ($(filter bench-against,$(MAKECMDGOALS)),)
$(if $(REV),,$(error bench-against needs a commit: make bench-against REV=COMMIT))
endif

# Ten thousand manifests and a record of a million runs: the longest turn of the loop, and how long the API is away.
bench-installation: build
	@Tools/require.sh python3:python3
	@Benchmarks/installation.py $(BIN) $(INSTALLATION_OPTIONS)
INSTALLATION_OPTIONS ?=

# Starts 1,200 applications, kills a zygote, takes the descriptors away, and asks the API all the while.
APPLICATIONS_OPTIONS ?=
bench-applications: build bench-plugins
	@$(CC) $(BENCH_CFLAGS) -I $(dir $(BENCH_HEADER)) -shared -fPIC -o $(BENCH)/libBenchApplication.so \
		Benchmarks/Plugins/application.c
	@python3 Benchmarks/applications.py --taskhost $(BIN)/taskhost --library $(BENCH)/libBenchApplication.so \
		$(APPLICATIONS_OPTIONS)

# Bytes and flushes that reach the disk of an idle and of a busy host, and what a slow disk costs; as root, three minutes.
.PHONY: bench-wear
WEAR_OPTIONS ?=
bench-wear: build $(BENCH)/slowsync.so
	@Tools/require.sh mke2fs:e2fsprogs losetup:mount
	@Benchmarks/wear.py $(BIN) --slow-sync $(BENCH)/slowsync.so $(WEAR_OPTIONS)

.PHONY: bench-applications bench-installation bench-needs bench-references bench-plugins
bench-needs:
	@Tools/require.sh strace:strace curl:curl aria2c:aria2 wget:wget nginx:nginx-light

bench-references: $(addprefix $(BENCH)/,chost noop spawnwait lateness killlatency opens watching spin steady requests malloccount.so undervalgrind.so)

$(BENCH)/chost: Benchmarks/Reference/chost.c Benchmarks/Reference/measure.h | $(BENCH)
	@$(CC) $(BENCH_CFLAGS) -o $@ $< -lsqlite3 -ldl
$(BENCH)/requests: Benchmarks/Reference/requests.c Benchmarks/Reference/measure.h | $(BENCH)
	@$(CC) $(BENCH_CFLAGS) -o $@ $< -lsqlite3
$(BENCH)/noop: Benchmarks/Reference/noop.c | $(BENCH)
	@$(CC) $(BENCH_CFLAGS) -static -o $@ $<
$(BENCH)/malloccount.so $(BENCH)/slowsync.so $(BENCH)/undervalgrind.so: $(BENCH)/%.so: Benchmarks/Reference/%.c | $(BENCH)
	@$(CC) $(BENCH_CFLAGS) -fno-builtin -shared -fPIC -o $@ $< -ldl
$(BENCH)/%: Benchmarks/Reference/%.c Benchmarks/Reference/measure.h | $(BENCH)
	@$(CC) $(BENCH_CFLAGS) -o $@ $<

# Manifests lie beside the libraries they name. Nobody else may write either, whatever the umask says.
bench-plugins: $(addprefix $(BENCH_PLUGINS)/,libBenchNoop.so libBenchTransfers.so libBenchIdle.so libBenchFoundation.so)
	@install -m 644 Benchmarks/Manifests/*.json $(BENCH_PLUGINS)
	@chmod go-w $(BENCH_PLUGINS) $(BENCH_PLUGINS)/*.so
	@install -d -m 755 $(BENCH_PLUGINS)/transfers
	@install -m 644 $(BENCH_PLUGINS)/libBenchNoop.so $(BENCH_PLUGINS)/libBenchTransfers.so \
		Benchmarks/Manifests/Transfers/*.json $(BENCH_PLUGINS)/transfers

BENCH_HEADER := Sources/CTaskHost/include/taskhost.h
$(BENCH_PLUGINS)/libBenchNoop.so: Benchmarks/Plugins/noop.c $(BENCH_HEADER) | $(BENCH_PLUGINS)
$(BENCH_PLUGINS)/libBenchTransfers.so: Benchmarks/Plugins/transfers.c $(BENCH_HEADER) | $(BENCH_PLUGINS)
$(BENCH_PLUGINS)/libBenchFleet.so: Benchmarks/Plugins/fleet.c $(BENCH_HEADER) | $(BENCH_PLUGINS)
$(BENCH_PLUGINS)/libBenchNoop.so $(BENCH_PLUGINS)/libBenchTransfers.so $(BENCH_PLUGINS)/libBenchFleet.so:
	@$(CC) $(BENCH_CFLAGS) -I $(dir $(BENCH_HEADER)) -shared -fPIC -o $@ $<
$(BENCH_PLUGINS)/libBenchIdle.so: Benchmarks/Plugins/idle.swift $(BENCH_HEADER) | $(BENCH_PLUGINS)
	@$(SWIFT)c -O -swift-version 6 -parse-as-library -module-name BenchIdle -emit-library \
		-import-objc-header $(BENCH_HEADER) -o $@ $<
$(BENCH_PLUGINS)/libBenchFoundation.so: Benchmarks/Plugins/foundation.swift $(BENCH_HEADER) | $(BENCH_PLUGINS)
	@$(SWIFT)c -O -swift-version 6 -parse-as-library -module-name BenchFoundation -emit-library \
		-import-objc-header $(BENCH_HEADER) -o $@ $<

$(BENCH) $(BENCH_PLUGINS):
	@mkdir -p $@

# A fleet beside its statements from plain C: rates, latencies, deaths, and what a thousand idle hosts ask. FLEET_OPTIONS: --only
# NAMES, --seconds N, --rounds N, --minutes N (of the steady rate), --set NAME=VALUE (of the server). Job queues of others, for
# `--only peers`, get a Python environment of their own.
.PHONY: bench-fleet
FLEET_OPTIONS ?=
FLEET_PEERS := $(BENCH)/peers-venv
QUEUES := $(BENCH)/queues-venv
bench-fleet: build $(BENCH)/fleet $(BENCH_PLUGINS)/libBenchFleet.so $(if $(findstring peers,$(FLEET_OPTIONS)),$(FLEET_PEERS)/made)
	@Tools/require.sh python3:python3 postgresql
	@chmod go-w $(BENCH_PLUGINS) $(BENCH_PLUGINS)/*.so
	@python3 Benchmarks/Fleet/fleet_bench.py --bin $(BIN) --references $(BENCH) --plugins $(BENCH_PLUGINS) --peers $(FLEET_PEERS) \
		$(FLEET_OPTIONS)
$(FLEET_PEERS)/made: Benchmarks/Fleet/peers/requirements.txt
$(QUEUES)/made: Benchmarks/Peers/requirements.txt
$(FLEET_PEERS)/made $(QUEUES)/made: | $(BENCH)
	@python3 -c 'import ensurepip' 2>/dev/null || Tools/require.sh python3-venv
	@python3 -m venv --clear $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
$(BENCH)/fleet: Benchmarks/Reference/fleet.c Benchmarks/Reference/measure.h | $(BENCH)
	@$(CC) $(BENCH_CFLAGS) $(shell pkg-config --cflags libpq) -o $@ $< -lpq

# What an event costs as a host gets more of one thing, as curves; a quarter of an hour. SCALING_OPTIONS: --only NAMES, --rounds N,
# --whole, --pictures FOLDER.
.PHONY: bench-scaling
SCALING_OPTIONS ?=
bench-scaling: build bench-plugins
	@Tools/require.sh python3:python3
	@python3 Benchmarks/Scaling/scaling.py --bin $(BIN) --plugins $(BENCH_PLUGINS) $(SCALING_OPTIONS)

# Jobs that do nothing beside what people would pick otherwise: queues with a server, `xargs -P`, GNU parallel, cron. As root, a quarter
# of an hour. PEERS_OPTIONS: --only NAMES, --rounds N, --slow MILLISECONDS.
.PHONY: bench-peers
PEERS_OPTIONS ?=
bench-peers: build bench-plugins bench-references $(BENCH)/slowsync.so $(QUEUES)/made
	@RUNLEVEL=1 Tools/require.sh python3:python3 gearman-job-server gearmand:libgearman-dev beanstalkd redis-server parallel cron
	@$(MAKE) -s $(BENCH)/jobs $(BENCH)/stamp
	@python3 Benchmarks/Peers/bench_peers.py --bin $(BIN) --references $(BENCH) --plugins $(BENCH_PLUGINS) --python $(QUEUES) \
		$(PEERS_OPTIONS)
$(BENCH)/stamp: Benchmarks/Peers/stamp.c Benchmarks/Reference/measure.h | $(BENCH)
	@$(CC) $(BENCH_CFLAGS) -static -o $@ $<
$(BENCH)/jobs: Benchmarks/Peers/jobs.c Benchmarks/Reference/measure.h | $(BENCH)
	@$(CC) $(BENCH_CFLAGS) -o $@ $< -lgearman

# What a host does for others while a plugin floods it.
.PHONY: bench-floods
bench-floods: build
	@sh Tests/Fixtures/build.sh $(BENCH)/floods
	@python3 Benchmarks/Floods/floods.py --taskhost $(BIN)/taskhost --fixtures $(BENCH)/floods
	@echo; echo "as an ordinary user without control groups"
	@Tools/ordinary.py python3 Benchmarks/Floods/floods.py --taskhost $(BIN)/taskhost --fixtures $(BENCH)/floods
