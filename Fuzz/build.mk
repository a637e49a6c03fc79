# Builds fuzz targets, for run.sh: make -f Fuzz/build.mk TARGET…, in the folder of the project.
#
# libFuzzer needs its own main, which SwiftPM cannot link. So modules are compiled here, once for all targets, with the address
# sanitizer and with marks that tell libFuzzer what an input reaches. Checked builds (-Onone) find more than optimised ones.
build := .build/fuzz
parts := $(build)/modules

# The modules, and what each imports.
TaskModel :=
JSON :=
Record := TaskModel
Linux := TaskModel
Wire := TaskModel
Manifests := TaskModel JSON
Engine := TaskModel
Store := TaskModel Linux Record
modules := TaskModel JSON Record Linux Wire Manifests Engine Store

# The targets, and what each imports.
answers := Wire Linux
control := Manifests Linux
control-reply :=
elf := Manifests
manifest := Manifests
rows := Store
sequences := Wire Engine
signature := Manifests
wire := Wire
wire-transfers := Wire
zone := TaskModel
targets := $(basename $(notdir $(wildcard Fuzz/targets/*.swift)))

# Some test a part of a module, and are one module with it.
# What reads servers' answers, without their transport.
answers-part := $(addprefix Transfer/,Answer.swift AnswerReader.swift ContentRange.swift Conversation.swift Download.swift \
	TransferFault.swift Validators.swift $(addprefix Protocol/,ChallengeParser.swift FinalAnswer.swift Guide.swift \
	Redirect.swift TransferGuard.swift TransferURL.swift UploadPlan.swift))
# What needs neither sockets nor libraries.
control-part := $(addprefix Control/,ControlRequest.swift StreamedEvent.swift HTTP Replies Routing Documents)
control-reply-part := Control/HTTP/ReplyReader.swift
zone-part := Scheduling/Calendar

flags := -Onone -g -swift-version 6 -sanitize=fuzzer,address -parse-as-library -wmo -package-name taskhost -enable-testing \
	-enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
	-enable-upcoming-feature MemberImportVisibility \
	-I $(parts) -I $(parts)/CLinux -I Sources/CCurl -I Sources/CSQLite
# A module and all that it stands on.
all = $(sort $(foreach module,$1,$(module) $(call all,$($(module)))))
objects = $(foreach module,$(call all,$1),$(parts)/lib$(module).a $(if $(filter Linux,$(module)),$(kernel)))
# The Swift files of folders, and the folders: one that has lost a file is newer.
sources = $(shell find $(addprefix Sources/,$1) -type d -o -name '*.swift')
# An archive that is there would keep its old objects before the new ones.
compile = @echo "fuzz: building $(patsubst lib%.a,%,$(@F))"; rm -f $@; swiftc $(flags) -o $@ $(filter %.swift,$^)

# The kernel's door has a part in C.
kernel := $(patsubst Sources/CLinux/%.c,$(parts)/CLinux/%.o,$(wildcard Sources/CLinux/*.c))
headers := $(wildcard Sources/CLinux/include/*.h)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: $(targets) always
$(targets): %: $(build)/%

define module-rule
$(parts)/lib$1.a: $(call sources,$1) $(patsubst %,$(parts)/lib%.a,$($1)) $(if $(filter Linux,$1),$(parts)/CLinux/module.modulemap) $(parts)/rules
	$$(compile) -emit-library -static -emit-module -emit-module-path $(parts)/$1.swiftmodule -module-name $1
endef
$(foreach module,$(modules),$(eval $(call module-rule,$(module))))

define target-rule
# lld comes with the toolchain; gold warns about every symbol of the sanitizer.
$(build)/$1: Fuzz/targets/$1.swift $(if $($1-part),$(call sources,$($1-part))) $(call objects,$($1)) $(parts)/rules
	$$(compile) $$(filter %.a %.o,$$^) -use-ld=lld -module-name Fuzz
endef
$(foreach target,$(targets),$(eval $(call target-rule,$(target))))

$(parts)/CLinux/%.o: Sources/CLinux/%.c $(headers) $(parts)/rules
	@mkdir -p $(@D)
	@clang -g -O1 -D_GNU_SOURCE -fsanitize=address -I Sources/CLinux/include -c $< -o $@
$(parts)/CLinux/module.modulemap: $(headers) $(parts)/rules
	@mkdir -p $(@D)
	@echo 'module CLinux { umbrella "$(CURDIR)/Sources/CLinux/include" export * }' >$@

# Newer when the compiler or these rules are others.
$(parts)/rules: always
	@mkdir -p $(@D)
	@{ swiftc --version 2>&1; cat Fuzz/build.mk; } | { cmp -s - $@ || { swiftc --version 2>&1; cat Fuzz/build.mk; } >$@; }
