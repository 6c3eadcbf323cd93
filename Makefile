# The front door: what CI does, a developer can do. `make help` lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
FISHCOMPDIR ?= $(PREFIX)/share/fish/vendor_completions.d

SWIFT ?= swift
RELEASE := --configuration release --static-swift-stdlib
# A position-independent executable all the same, with its relocations packed. SwiftPM's RUNPATH would end a static one's start.
STATIC := --configuration release --static-swift-stdlib --scratch-path .build/static --disable-local-rpath \
	-Xswiftc -static-executable -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-pie -Xlinker -z -Xlinker pack-relative-relocs
# What install and bench take: release-static, or release for a shared libgpgme.
BUILD ?= release-static
built = "$$($(SWIFT) build $(if $(filter release,$(BUILD)),$(RELEASE),$(STATIC)) --show-bin-path)/passchain"
# Where bench leaves what it prints.
BENCH_TABLE ?= .build/bench.md
SHELL_SCRIPTS = .ci/run .ci/install-packages $(shell find Tests -name '*.sh')

# Debian's packages. What is there already is left alone.
TOOLCHAIN_PACKAGES := binutils g++ libcurl4 libncurses6 libsqlite3-0 libxml2 tzdata
BUILD_PACKAGES := $(TOOLCHAIN_PACKAGES) git gnupg libgcrypt20-dev libgpgme-dev pkg-config
TEST_PACKAGES := $(BUILD_PACKAGES) bash bsdutils expect fish locales mandoc mount oathtool pass perl pinentry-curses procps \
	python3-venv qrencode shellcheck strace tree util-linux vim xclip xsel xvfb xz-utils zsh
BENCH_PACKAGES := $(BUILD_PACKAGES) gopass hyperfine jq pass time tree xclip xvfb
install_packages = @bash .ci/install-packages $(1)

.PHONY: help build release release-static demo test test-unit test-installed fuzz sanitize sanitize-thread sanitize-address memcheck check bench format \
	generate golden \
	install check-pass-link install-pass-link uninstall setup-build setup-test setup-clients setup-bench

help: ## List the targets.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 20

setup-build:
	$(call install_packages,$(BUILD_PACKAGES))
setup-test:
	$(call install_packages,$(TEST_PACKAGES))
setup-clients: setup-test
	bash Tests/ClientTests/install-clients.sh
setup-bench:
	$(call install_packages,$(BENCH_PACKAGES))

build: setup-build ## Build for development.
	$(SWIFT) build

release: setup-build ## Build the tool for use: Swift's runtime inside, libgpgme shared.
	$(SWIFT) build $(RELEASE) --product passchain

release-static: setup-build ## Build the tool with everything inside, which starts in half the time.
	$(SWIFT) build $(STATIC) --product passchain

demo: build ## Install what is missing, build, and show the main job on a throw-away key and store.
	@bash Tests/Demo/demo.sh "$$($(SWIFT) build --show-bin-path)/passchain"

test: setup-test setup-clients ## Install what tests need and run all of them.
	$(SWIFT) build --build-tests
	@SWIFT="$(SWIFT)" bash Tests/run-all.sh "$$($(SWIFT) build --show-bin-path)/passchain"

# The rooms, without the tests that kill, type or repeat for long.
SLOW := KillTests|ConcurrencyTests|GrowthTests|TypedCompletionTests
UNIT := ^(SecretMemoryTests|UnixTests|OneTimePasswordTests|CommandGrammarTests|GPGMETests|PasswordStoreTests|PassCommandsTests|SecurityTests)\.
test-unit: setup-build ## Run the tests of the libraries, in less than two minutes and without client programs.
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --disable-xctest --filter '$(UNIT)' --skip '$(SLOW)'


test-installed: setup-test setup-clients release-static ## Run the tests of the whole tool with the executable that install takes.
	$(SWIFT) build --build-tests
	TOOL=$(built) $(SWIFT) test --skip-build --disable-xctest --filter '^(EndToEndTests|PassCommandsTests|FaultTests|ClientTests)'

fuzz: setup-test ## A million inputs for each parser; FUZZ_INPUTS=N for another number, TEST_SEED=N for others.
	FUZZ_INPUTS=$(or $(FUZZ_INPUTS),1000000) $(SWIFT) test --disable-xctest --filter '^FuzzTests'

sanitize: sanitize-thread sanitize-address ## Run tests under both sanitizers.

sanitize-thread: setup-test ## Run what uses several threads under the thread sanitizer.
	bash Tests/Sanitizers/thread.sh

# The rooms where pointers live, and what is built on them; but not the tests that look through all memory, which is endless there.
SANITIZED := ^(GPGMETests|SecretMemoryTests|UnixTests|PasswordStoreTests|CommandGrammarTests|FuzzTests)

sanitize-address: setup-test ## Run the tests of the libraries under the address sanitizer.
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build/address
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --skip-build --disable-xctest --no-parallel --sanitize=address \
	    --scratch-path .build/address --filter '$(SANITIZED)' --skip 'ResourceTests|WipingTests'

memcheck: setup-test ## Run the tool, with each of its uses of GPGME, under valgrind.
	$(call install_packages,valgrind)
	$(SWIFT) build --build-tests
	bash Tests/Sanitizers/memcheck.sh "$$($(SWIFT) build --show-bin-path)/passchain"

check: setup-test ## Format, layers, and the syntax of scripts, completions and manual page.
	$(SWIFT) format lint --strict Package.swift
	$(SWIFT) format lint --strict --recursive Sources Tests
	@! grep -rnE '^ *(public |internal |package |private )?import Foundation' Sources \
	    --include='*.swift' --exclude-dir=Security --exclude-dir=KeychainKit \
	    || { echo 'Foundation has no place in these files.'; exit 1; }
	@find Sources Tests -name '*.swift' | xargs wc -l | \
	    awk '$$2 != "total" && $$1 > 400 { print $$2 " has " $$1 " lines, more than 400"; bad = 1 } END { exit bad }'
	$(SWIFT) build --explicit-target-dependency-import-check error
	@docs="$$($(SWIFT) build --show-bin-path)/passchain-docs"; \
	    for file in $$("$$docs"); do "$$docs" "$$file" | diff -u "$$file" - || { echo "Run make generate, and commit $$file."; exit 1; }; done
	bash -n completions/passchain.bash
	zsh -n completions/_passchain
	zsh -n completions/_pass
	fish --no-execute completions/passchain.fish
	@! mandoc -T lint -W style man/passchain.1 2>&1 | grep -vE 'outdated mandoc.db|referenced manual not found'
	shellcheck --external-sources $(SHELL_SCRIPTS)

bench: setup-bench ## Measure against pass and gpg, as ratios in one run.
	$(MAKE) $(BUILD)
	$(SWIFT) build --configuration release --product keychain-bench
	bash Tests/Bench/bench.sh $(built) $(BENCH_TABLE)
	"$$($(SWIFT) build --configuration release --show-bin-path)/keychain-bench" | tee -a $(BENCH_TABLE)

format: ## Lay the sources out as the formatter wants them.
	$(SWIFT) format format --in-place Package.swift
	$(SWIFT) format format --in-place --recursive Sources Tests

generate: ## Write completions and the man page anew from the commands' descriptions.
	$(SWIFT) build --product passchain-docs
	@docs="$$($(SWIFT) build --show-bin-path)/passchain-docs"; \
	    for file in $$("$$docs"); do "$$docs" "$$file" > "$$file"; done
	git diff --stat -- completions man

golden: setup-test ## Record what Debian's pass does. Always ends as a failed test run.
	RECORD=pass $(SWIFT) test --disable-xctest --filter EndToEnd || true
	git diff --stat -- Tests/EndToEndTests/Golden

install: $(BUILD) ## Install to $(PREFIX), below DESTDIR.
	install -D -s -m 755 $(built) "$(DESTDIR)$(BINDIR)/passchain"
	install -D -m 644 man/passchain.1 "$(DESTDIR)$(MANDIR)/man1/passchain.1"
	install -D -m 644 completions/passchain.bash "$(DESTDIR)$(BASHCOMPDIR)/passchain"
	install -D -m 644 completions/_passchain "$(DESTDIR)$(ZSHCOMPDIR)/_passchain"
	install -D -m 644 completions/passchain.fish "$(DESTDIR)$(FISHCOMPDIR)/passchain.fish"

# What install-pass-link adds. A file there that is another program's is neither replaced nor removed.
PASS_LINKS = "$(DESTDIR)$(BINDIR)/pass" "$(DESTDIR)$(MANDIR)/man1/pass.1" "$(DESTDIR)$(BASHCOMPDIR)/pass" "$(DESTDIR)$(FISHCOMPDIR)/pass.fish"
PASS_FILE = "$(DESTDIR)$(ZSHCOMPDIR)/_pass"
is_ours = { case "$$(readlink "$$file" | sed 's|.*/||')" in passchain|passchain.1|passchain.fish) ;; \
	*) [ "$$file" = $(PASS_FILE) ] && [ ! -L "$$file" ] && grep -qs '^autoload -Uz _passchain$$' "$$file" ;; esac; }

check-pass-link:
	@for file in $(PASS_LINKS) $(PASS_FILE); do \
	    if { [ -e "$$file" ] || [ -L "$$file" ]; } && ! $(is_ours); then \
	        echo "$$file is another program's; move it away, or choose another PREFIX." >&2; exit 1; fi; done

install-pass-link: check-pass-link install ## Install, and make passchain what runs as pass.
	ln -sfn passchain "$(DESTDIR)$(BINDIR)/pass"
	ln -sfn passchain.1 "$(DESTDIR)$(MANDIR)/man1/pass.1"
	ln -sfn passchain "$(DESTDIR)$(BASHCOMPDIR)/pass"
	install -D -m 644 completions/_pass $(PASS_FILE)
	ln -sfn passchain.fish "$(DESTDIR)$(FISHCOMPDIR)/pass.fish"

uninstall: ## Remove what install and install-pass-link installed.
	rm -f "$(DESTDIR)$(BINDIR)/passchain" "$(DESTDIR)$(MANDIR)/man1/passchain.1" \
	    "$(DESTDIR)$(BASHCOMPDIR)/passchain" "$(DESTDIR)$(ZSHCOMPDIR)/_passchain" \
	    "$(DESTDIR)$(FISHCOMPDIR)/passchain.fish"
	@for file in $(PASS_LINKS) $(PASS_FILE); do if $(is_ours); then echo "rm $$file"; rm "$$file"; fi; done
