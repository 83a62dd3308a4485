# gopherwarp: `make lab` opens the course, `make test` runs every test.

SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
PORT ?= 8888
PYTHON ?= python3
# The go command: that of the PATH, or one that is fetched.
ifndef GO
GO = $(eval GO := $$(shell install/go.sh))$(or $(GO),$(error There is no Go to build with))
endif
# The Go that all tests run with, and the one that those of cells run with once more.
GO_RELEASE ?= go1.27.3
OTHER_RELEASE ?= go1.26.8

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
GOFUMPT = $(GO) run mvdan.cc/gofumpt@v0.12.0
GOCOGNIT = $(GO) run github.com/uudashr/gocognit/cmd/gocognit@v1.3.0
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
UV := uv==0.13.8

# What can be built for other systems than Linux: the program, which says there what to use instead, and packages without
# system calls.
PORTABLE := ./cmd/gopherwarp ./display/... ./internal/cudac ./internal/cxx ./internal/include ./internal/render ./internal/spelling \
	./internal/gorelease/... ./internal/slim ./internal/session/ld

LAB_STAMP := $(VENV)/.lab
TEST_STAMP := $(VENV)/.test
NBGRADER_STAMP := $(VENV)/nbgrader/.stamp
DOCS_STAMP := dist/docs-venv/.stamp
LESSONS := $(shell find notebooks/solutions -name '*.ipynb' -not -path '*/.ipynb_checkpoints/*' 2>/dev/null | sort)

export PYTHON

# Later steps use what earlier ones made.
.NOTPARALLEL:

.PHONY: help lab test build check bench defects bench-gpu bench-programs bundle clean notebooks-run kernelspec deps deps-test deps-long
.PHONY: labextension test-labextension wheel test-wheel notebooks drawings course-check test-go test-release test-foreign test-notebooks conformance test-bundle docker test-container test-fresh-root test-fresh-pip
.PHONY: course-student course-instructor course-zip test-race test-arm64 test-arm64-smoke test-grading test-looks test-kernels test-gokernels test-arrays requirements chaos fuzz docs test-docs release test-release-files test-upgrade hub hub-test

help: ## print this help
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' Makefile

lab: kernelspec ## set everything up and open JupyterLab on the course (PORT=8888, BROWSER=no)
	@PORT=$(PORT) BROWSER=$(BROWSER) VENV=$(VENV) install/lab.sh

test: ## set everything up and run what every change must pass
	@install/deps.sh --test
	@go=$$(install/go.sh $(GO_RELEASE)) && export PATH="$$(dirname "$$go"):$$PATH" GOTOOLCHAIN=local && \
	for part in check test-go course-check test-notebooks test-wheel test-container; do \
		$(MAKE) --no-print-directory GO="$$go" EVERY=6 $$part || exit 1; \
	done
	@$(MAKE) --no-print-directory test-release GO_RELEASE=$(OTHER_RELEASE)
	@echo "==> All tests passed"

build: ## build bin/gopherwarp
	@echo "==> Building bin/gopherwarp $(VERSION)"
	@$(GO) build -ldflags "-X main.version=$(VERSION)" -o bin/gopherwarp ./cmd/gopherwarp

check: ## formatting, go vet, staticcheck, complexity, changes of the public API
	@echo "==> gofumpt"
	@bad=$$(git ls-files -co --exclude-standard '*.go' ':!*/testdata/*' | xargs -r $(GOFUMPT) -l) && \
		if [[ -n $$bad ]]; then echo "not formatted; run gofumpt -w on:" $$bad; exit 1; fi
	@echo "==> go vet"
	@$(GO) vet ./...
	@GOARCH=arm64 CGO_ENABLED=0 $(GO) vet ./gpu ./gpu/internal/... ./internal/slim
	@GOOS=darwin CGO_ENABLED=0 $(GO) vet $(PORTABLE)
	@GOOS=windows CGO_ENABLED=0 $(GO) vet $(PORTABLE)
	@echo "==> staticcheck"
	@$(STATICCHECK) ./...
	@echo "==> cognitive complexity, at most 25"
	@git ls-files '*.go' | cut -d / -f 1 | sort -u | xargs $(GOCOGNIT) -over 25 -test=false
	@echo "==> public API"
	@GO="$(GO)" test/api/run.sh

# Nearly all that the tests of these packages do is done by programs that are built without the race detector, or, in nd, by one goroutine.
RACE_FREE := /gopherwarp/(test/|internal/session$$|gpu/nd$$)

# Tests of package nd in which goroutines work at the same time, steps are repeated or reductions wait. test-race runs all with the race detector.
TOGETHER := Goroutines|Concurrently|AtOnce|Others|Loop|Late

# Tests of package nd that compare results with NumPy's or with one another, and so hold for split arrays, too.
SPLIT := ^Test(NumPy|Grad|Shard|MatMul|Decompositions|Eig$$|LeastSquares|TopK|BincountOf|UniqueOf|MaskOf)

# Tests of package nd that are run as generated CUDA C++, too: some of each kind of kernel. test-arrays runs all.
GENERATED := ^Test(NumPyArithmetic|NumPyViews|NumPyTransposed|NumPyReductions|NumPyMasks|NumPySorting|NumPySearching|NumPyMatMul|NumPyIndexing|NumPyJoining|NumPyFFT|NumPyQuantiles|Expression|Eval|KernelSources|TransposedSmallElements|RowsForGPU|StencilAround|Loop|LateReductions|ScansInLoops|ManyScans|NotedScans|ScanGradients|UniqueOfRanges|TopKLong|TopKGroups)$$

# Tests of test/e2e in which many or long things are done; chaos runs them.
ENDURANCE := ^Test(Soak|Crowd|InterruptedBuild|LargeDisplays)$$

test-go: $(TEST_STAMP) ## Go tests, those of packages under the race detector
	@echo "==> go test -race"
	GOPHERWARP_NEED_NVRTC=yes GOPHERWARP_NEED_NUMPY=yes PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(GO) test -race -timeout 30m $$($(GO) list ./... | grep -vE '$(RACE_FREE)')
	$(GO) test -race -timeout 30m -run '$(TOGETHER)' ./gpu/nd
	@echo "==> Arrays and sessions"
	GOPHERWARP_NEED_NVRTC=yes GOPHERWARP_NEED_NUMPY=yes PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(GO) test -timeout 40m -skip '$(ENDURANCE)' ./gpu/nd ./internal/session ./test/...
	@echo "==> Arrays split over three devices, and beside them arrays as generated CUDA C++, which wait for one compiler after the other"
	export GOPHERWARP_NEED_NUMPY=yes PATH="$(CURDIR)/$(VENV)/bin:$$PATH"; \
	{ GOPHERWARP_ARRAYS=cuda $(GO) test -timeout 30m -run '$(GENERATED)' ./gpu/nd & } && \
	{ GOPHERWARP_SHARDS=yes GOPHERWARP_DEVICE=sim:x3 $(GO) test -timeout 30m -run '$(SPLIT)' ./gpu/nd || { wait; exit 1; }; } && wait $$!

test-arrays: $(TEST_STAMP) ## all tests of arrays as generated CUDA C++, which g++ compiles, instead of on the CPU engine: half an hour the first time
	GOPHERWARP_ARRAYS=cuda GOPHERWARP_NEED_NUMPY=yes PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(GO) test -timeout 2h -skip '^TestCatalogForGPU$$' ./gpu/nd

test-race: $(TEST_STAMP) ## the tests of sessions and all tests of arrays under the race detector, too, and all kernels compiled for all capabilities by NVRTC
	GOPHERWARP_NEED_NVRTC=yes GOPHERWARP_NEED_NUMPY=yes GOPHERWARP_NVRTC=all PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(GO) test -race -timeout 1h ./internal/session ./gpu/internal/driver ./gpu/nd

# The tests of test/e2e in which a release of Go shows: compiled and failed cells, the debugger, %test, modules, kernels.
E2E_CORE := ^Test(BadCells|KilledSession|Fatal|Breakpoints|BreakpointsInKernels|Interrupt|Restore|Modules|Tests|Vet|Magics|Kernels|GoKernels|Races|ChecksOfOutdated)$$

# Tests of internal/session in which it doesn't.
RELEASE_FREE := ^Test(DamagedCache|InterruptOfCompiling|Explosions)$$

test-release: $(TEST_STAMP) ## what reaches into Go, cells and the lessons, with GO_RELEASE (go1.27.3)
	@echo "==> Cells and lessons with $(GO_RELEASE)"
	@go=$$(install/go.sh $(GO_RELEASE)) && \
	export PATH="$$(dirname "$$go"):$(CURDIR)/$(VENV)/bin:$$PATH" GOTOOLCHAIN=local && \
	{ "$$go" test -timeout 40m -run '$(E2E_CORE)' ./test/e2e & } && \
	{ "$$go" test -timeout 40m -skip '$(RELEASE_FREE)' ./internal/session/... ./internal/cellruntime/... ./internal/slim ./internal/gorelease/... ./internal/goroot ./magics/... || { wait; exit 1; }; } && \
	wait $$! && \
	"$$go" build -o bin/$(GO_RELEASE)/gopherwarp ./cmd/gopherwarp && \
	printf '%s\n' $(LESSONS) | xargs -I {} -P 2 bin/$(GO_RELEASE)/gopherwarp run --device sim {} -o /dev/null

test-foreign: ## all programs and Examples that Go brings, and 2000 random notebooks, as cells, and all lessons exported: takes an hour or two
	GOPHERWARP_FOREIGN=all $(GO) test -timeout 4h -v ./test/foreign
	GOPHERWARP_EXPORT=all $(GO) test -timeout 1h -v -run TestExportedLessons ./test/e2e

test-kernels: ## random kernels on the simulator in all ways and, where there is one, on a GPU, the corpus compiled by clang++, and all programs in check mode (GOPHERWARP_KERNELS=5000, GOPHERWARP_SEED)
	GOPHERWARP_KERNELS=$${GOPHERWARP_KERNELS:-5000} $(GO) test -timeout 4h -v ./test/kernels
	GOPHERWARP_CLANG=all $(GO) test -run TestClang ./gpu/internal/sim
	GOPHERWARP_PROGRAMS=all $(GO) test -timeout 1h -run 'TestCheckedPrograms|TestLibraryPrograms|TestRightKernels|TestDamaged' ./gpu/device ./gpu/internal/sim

test-gokernels: ## random functions as kernels in Go and as plain Go, and all tests of Go's compiler for numbers (GOPHERWARP_GOKERNELS=3000, GOPHERWARP_SEED)
	GOPHERWARP_GOKERNEL=all GOPHERWARP_GOKERNELS=$${GOPHERWARP_GOKERNELS:-3000} $(GO) test -timeout 4h -v ./test/gokernel

chaos: ## disturb a notebook 2000 times (GOPHERWARP_SEED chooses how), a thousand cells without, and long tests of notebooks: takes an hour or two
	$(GO) test -timeout 1h -v -run '$(ENDURANCE)' ./test/e2e
	GOPHERWARP_STEPS=$${GOPHERWARP_STEPS:-2000} $(GO) test -timeout 12h -v ./test/chaos

FUZZ_TIME ?= 10m
fuzz: ## each fuzz test for FUZZ_TIME (10m)
	@grep -rl '^func Fuzz' --include='*_test.go' --exclude-dir=e2e . | xargs -n 1 dirname | sort -u | while read -r dir; do \
		for name in $$(grep -rhoP '^func \KFuzz\w+' "$$dir"/*_test.go); do \
			echo "==> $$dir $$name"; $(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZ_TIME) "$$dir" || exit 1; \
		done; \
	done

test-notebooks: kernelspec $(TEST_STAMP) $(NBGRADER_STAMP) ## the lessons in gopherwarp run, nbclient, nbgrader and a real JupyterLab
	@echo "==> Notebooks: gopherwarp run, nbclient, nbgrader, JupyterLab in Chromium"
	$(VENV)/bin/python -m pytest -n 2 --dist loadfile test

test-grading: kernelspec $(TEST_STAMP) $(NBGRADER_STAMP) ## a round of nbgrader for each lesson, with wrong, endless and cheating hand-ins: an hour (GOPHERWARP_GRADING=NAME,NAME)
	GOPHERWARP_GRADING=$${GOPHERWARP_GRADING:-all} $(VENV)/bin/python -m pytest test/test_nbgrader.py

test-looks: kernelspec $(TEST_STAMP) ## all lessons run in JupyterLab, looked at in both colour schemes, with pictures in artifacts/looks: half an hour (GOPHERWARP_LOOKS=NAME,NAME)
	GOPHERWARP_LOOKS=$${GOPHERWARP_LOOKS:-all} $(VENV)/bin/python -m pytest test/lab/test_lessons_look.py

conformance: kernelspec $(TEST_STAMP) ## Jupyter's own test of kernels, alone
	$(VENV)/bin/python -m pytest test/test_protocol.py

labextension: ## build JupyterLab's extension, which is in the repository, after a change of its sources (needs npm)
	@echo "==> JupyterLab's extension"
	@install/labextension/renew.sh
	@$(GO) run ./install/notices >dist/.notices && mv dist/.notices THIRD_PARTY_NOTICES

test-labextension: ## JupyterLab's extension, built twice in different directories: it is what the repository has (needs npm)
	@test/labextension/run.sh

wheel: ## dist/gopherwarp-VERSION-….whl for pip (GOARCH=arm64 for the other)
	@GO="$(GO)" install/wheel.sh

test-wheel: wheel ## pip installs the wheel into an empty environment, and a notebook runs there
	@test/wheel/run.sh

test-upgrade: wheel ## pip upgrades an earlier wheel while its kernel runs, and uninstalls all (UPGRADE_FROM=COMMIT)
	@GO="$(GO)" test/wheel/upgrade.sh

release: ## dist/release: programs, wheels, Debian packages, lists of modules, changes, SHA256SUMS (RELEASE_BUNDLE=yes: bundles, too)
	@go=$$(install/go.sh $(GO_RELEASE)) && export PATH="$$(dirname "$$go"):$$PATH" GOTOOLCHAIN=local && GO="$$go" install/release.sh

test-release-files: ## a release of the last commit, made twice in different directories: equal, and its files work
	@go=$$(install/go.sh $(GO_RELEASE)) && export PATH="$$(dirname "$$go"):$$PATH" GOTOOLCHAIN=local && GO="$$go" test/release/run.sh

docker: ## the container's image gopherwarp, by docker, podman or buildah (DEVICE=cuda: gopherwarp:cuda, for a GPU)
	@install/container/build.sh $(DEVICE)

test-container: $(TEST_STAMP) ## the container, built by buildah from a new Debian, with JupyterLab and a lesson in it (root needed, skipped without)
	@GO="$(GO)" test/container/run.sh

test-bundle: bundle ## the offline bundle, unpacked where there is no network
	@test/bundle/run.sh

# All users of a hub must be able to run its Python, which one in root's home is not.
HUB_PYTHON ?= /usr/bin/python3
hub: wheel ## install a JupyterHub for a class into HUB (/opt/gopherwarp): docs/hub.md
	@PYTHON=$(HUB_PYTHON) install/hub/install.sh $(or $(HUB),/opt/gopherwarp)

hub-test: wheel ## that hub, with LEARNERS (20) who run the first lesson at once, a round of nbgrader and idle servers (root needed, skipped without)
	@PYTHON=$(HUB_PYTHON) install/hub/install.sh $(VENV)/hub
	@test/hub/run.sh $(VENV)/hub

test-fresh-root: ## make lab on a fresh Debian with no Go, or with FRESH_GO=go1.27.3 (root and debootstrap needed, skipped without)
	@test/freshroot/run.sh clone $(FRESH_GO)

test-fresh-pip: wheel $(TEST_STAMP) ## docs/start.md's commands for pip on a fresh Debian with Python, until a lesson has run in Chromium (root and debootstrap needed)
	@test/freshroot/run.sh wheel

test-arm64: ## the session's and the simulator's tests in an emulated Debian for arm64 (root needed; an hour or more)
	@test/arm64/run.sh

test-arm64-smoke: ## some cells, kernels and the first lesson on an emulated arm64 (skipped where that can't be had)
	@test/arm64/smoke.sh

notebooks: build ## build the notebooks from course/lessons, and docs/coverage.md
	@bin/gopherwarp course build --source course --coverage docs/coverage.md notebooks

drawings: ## make the PNG of each picture whose SVG has changed (needs Chromium and pngquant)
	@course/draw.sh

EVERY ?= 1
course-check: build ## run the lessons on the simulator: solutions pass, wrong answers are refused (EVERY=6: one in six of these)
	@echo "==> Course: solutions, unsolved exercises, wrong answers"
	@bin/gopherwarp course check --device sim --every $(EVERY)

course-student: build ## dist/course-student.zip: the learners' notebooks, without solutions
	@$(MAKE) --no-print-directory course-zip FOR=students ZIP=course-student

course-instructor: build ## dist/course-instructor.zip: solutions and sources of nbgrader's assignments
	@$(MAKE) --no-print-directory course-zip FOR=instructors ZIP=course-instructor

course-zip:
	@rm -rf dist/$(ZIP) dist/$(ZIP).zip && mkdir -p dist
	@bin/gopherwarp course build --only $(FOR) dist/$(ZIP) >/dev/null
	@cd dist && $(PYTHON) -m zipfile -c $(ZIP).zip $(ZIP)
	@echo "==> dist/$(ZIP).zip"

notebooks-run: build ## run every lesson and write the outputs into artifacts/
	@mkdir -p artifacts
	@for lesson in $(LESSONS); do \
		echo "==> $$lesson"; \
		bin/gopherwarp run "$$lesson" -o "artifacts/$$(basename "$$lesson")" || exit 1; \
	done

bench: ## measure start-up, cell latency with both releases of Go, idle memory, and the simulator
	@go=$$(install/go.sh $(GO_RELEASE)) && other=$$(install/go.sh $(OTHER_RELEASE)) && \
	export PATH="$$(dirname "$$go"):$$PATH" GOTOOLCHAIN=local && \
	$(MAKE) --no-print-directory GO="$$go" build && \
	"$$go" run ./bench/session -releases "$$other,$$go" && \
	"$$go" test -run '^$$' -bench 'Kernels|Check' ./gpu/internal/sim

defects: ## what check mode, and on a GPU compute-sanitizer's tools, find in the wrong kernels: bench/results/defects.md
	@GO="$(GO)" bench/defects.sh

bench-gpu: build ## on a machine with a GPU: launches beside C and CuPy, the GPU's tests, the lesson
	@bench/gpu.sh

PEERS ?= cupy,jax
bench-programs: ## small programs of arrays beside those of PEERS (cupy,jax; numpy without a GPU), sizes divided by DIVIDE (1)
	@$(GO) run ./bench/programs -peers $(PEERS) -divide $(or $(DIVIDE),1)

bundle: ## dist/gopherwarp-offline-linux-amd64.tar.xz (GOARCH=arm64 for the other): everything for a machine without network
	@go=$$(install/go.sh $(GO_RELEASE)) && export PATH="$$(dirname "$$go"):$$PATH" GOTOOLCHAIN=local && \
	install/bundle.sh

docs: build $(DOCS_STAMP) ## build the site from docs/ into dist/site, with the lessons as they run on the simulator (needs npm)
	@install/site/build.sh

test-docs: docs $(TEST_STAMP) ## the site in Chromium: nothing is loaded from elsewhere, search, diagrams, both colour schemes
	@$(VENV)/bin/python -m pytest test/site/check_site.py

requirements: ## renew the pinned packages of Python and npm
	@$(PYTHON) -m venv dist/uv && dist/uv/bin/pip install --quiet $(UV)
	@cd install && for file in requirements requirements-test requirements-nbgrader requirements-wheel requirements-cuda requirements-docs requirements-release requirements-hub ../test/wheel/requirements; do \
		../dist/uv/bin/uv pip compile --quiet --upgrade --generate-hashes --universal --python-version 3.10 --no-annotate \
			--no-emit-find-links --custom-compile-command 'make requirements' $$file.in -o $$file.txt || exit 1; \
	done
	@for dir in hub site labextension; do (cd install/$$dir && npm update --package-lock-only --no-audit --no-fund) || exit 1; done

clean: ## remove what was built; downloaded packages stay in their caches
	rm -rf bin dist artifacts $(VENV)

deps:
	@install/deps.sh

deps-test:
	@install/deps.sh --test

deps-long:
	@install/deps.sh --long

$(LAB_STAMP): install/requirements.txt install/lab-settings.json install/venv.sh | deps
	@install/venv.sh $(VENV) install/requirements.txt
	@touch $@

$(TEST_STAMP): install/requirements-test.txt $(LAB_STAMP)
	@install/venv.sh $(VENV) install/requirements.txt install/requirements-test.txt
	@touch $@

$(DOCS_STAMP): install/requirements-docs.txt install/venv.sh
	@install/venv.sh dist/docs-venv install/requirements-docs.txt
	@touch $@

$(NBGRADER_STAMP): install/requirements-nbgrader.txt | $(LAB_STAMP)
	@install/venv.sh $(VENV)/nbgrader install/requirements-nbgrader.txt
	@touch $@

kernelspec: $(LAB_STAMP) build
	@echo "==> Installing the kernel into $(VENV)"
	@bin/gopherwarp install --prefix "$(CURDIR)/$(VENV)"
