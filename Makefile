# Every target does its own set-up: only python3 and a package registry are needed.
PY := .venv/bin/python

.PHONY: run test bounds transcript package docs lint bench fit fuzz strength soak tables clean

# The first minute: Légal's trap, where Black may take the queen, and is mated if he does.
run: .venv/ready-board
	$(PY) -m plyout tour

KERNELS := tests/kernel tests/games tests/evaluate tests/playout tests/search tests/knowledge tests/networks/nnue tests/engine/test_same_seed.py tests/engine/test_networks.py tests/engine/test_threads.py

# The whole suite; a file's tests share what they compile, so each file is one worker's.
test: .venv/ready-dev
	-tools/debian.sh stockfish toga2 pgn-extract gnuchess-book gaviotatb
	-tools/debian.sh chromium
	$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# The fast tests of the kernels once more with every array index checked (compiled into a cache of its own).
bounds: .venv/ready-dev
	NUMBA_BOUNDSCHECK=1 $(PY) -m pytest -n 2 --dist loadfile -m "not slow" $(KERNELS)

# The UCI session that tests compare with, written anew: after a search was changed on purpose.
transcript: .venv/ready-dev
	$(PY) -m tests.uci.test_transcript

# The wheel and the source distribution in dist/, checked, installed where nothing else is, and tried there.
package: .venv/ready-package
	$(PY) tools/package.py

# The documentation's site in build/site: from docs/, the README and the sources; a dead link ends it.
docs: .venv/ready-docs
	$(PY) tools/build_site.py

lint: .venv/ready-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) tools/check_shifts.py src examples

bench: .venv/ready-bench
	-tools/debian.sh stockfish
	$(PY) -m plyout bench --rounds 3
	$(PY) bench/runner.py
	$(PY) bench/networks.py

strength: .venv/ready-dev
	$(PY) bench/strength.py

soak: .venv/ready-dev
	-tools/debian.sh stockfish toga2 glaurung
	$(PY) tests/soak/soak.py --games 1000 --clock 1 --increment 0.01 --jobs 2
	$(PY) tests/soak/soak.py --memory 600
	$(PY) tests/soak/speed.py
	$(PY) tests/soak/visits.py
	$(PY) tests/lab/match/killing.py --games 100 --kills 10
	$(PY) -m tests.lab.run.faults
	$(PY) -m tests.lab.run.kills --games 200 --kills 10

# All endgame tables, built where the user keeps them, verified, and compared with Gaviota's and Syzygy's.
tables: .venv/ready-dev
	-tools/debian.sh gaviotatb
	$(PY) -m plyout tables build --pieces 4
	$(PY) -m plyout tables verify
	$(PY) -m plyout tables fetch-syzygy
	$(PY) -m tests.knowledge.tables.oracle

# The weights of the evaluation anew; an interrupted run goes on where it was.
fit: .venv/ready-dev
	tools/debian.sh stockfish
	$(PY) -m plyout fit --count 200000 --compare --save src/plyout/evaluate/weights.toml

fuzz: .venv/ready-dev
	$(PY) tests/fuzz/differential.py --positions 1000000 --jobs 2
	$(PY) -m tests.fuzz.traps --positions 2000
	$(PY) -m tests.explain.run --positions 500
	$(PY) -m tests.explain.famous
	$(PY) -m tests.damage.run --copies 2000
	$(PY) -m tests.fuzz.uci --lines 1000000 --jobs 2
	$(PY) -m tests.networks.nnue.oracle --positions 10000

.venv/ready-%: pyproject.toml tools/setup.sh
	tools/setup.sh $*

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
