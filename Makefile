# taskhost: `make run` shows it at work, `make test` proves it. Both install what is missing (Debian packages).
SHELL := /bin/sh
SWIFT ?= swift
PREFIX ?= /usr/local
FLAGS := --explicit-target-dependency-import-check error -j 2
NEEDS := pkg-config:pkg-config libffi:libffi-dev sqlite3:libsqlite3-dev libseccomp:libseccomp-dev
BIN := .build/release

.PHONY: build run test test-asan test-tsan bench fuzz lint format docs install clean require

require:
	@Tools/require.sh $(NEEDS)

build: require
	@$(SWIFT) build $(FLAGS) -c release

test: require
	@$(SWIFT) build $(FLAGS)
	@$(SWIFT) test $(FLAGS)

lint:
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Plugins Tests Benchmarks
	@Tools/lint.sh

format:
	@$(SWIFT) format --in-place --recursive Package.swift Sources Plugins Tests Benchmarks

include Benchmarks/bench.mk

clean:
	@rm -rf .build .build-*
