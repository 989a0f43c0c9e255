"""JAX compiles a training step once for all tests, not once a test."""

from collections.abc import Iterator

import jax
import pytest

_SETTINGS = {"jax_persistent_cache_min_compile_time_secs": 0.0, "jax_persistent_cache_min_entry_size_bytes": -1}


@pytest.fixture(autouse=True, scope="session")
def _compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    settings = {**_SETTINGS, "jax_compilation_cache_dir": str(tmp_path_factory.mktemp("jax"))}
    before = {name: getattr(jax.config, name) for name in settings}
    for name, value in settings.items():
        jax.config.update(name, value)
    yield
    for name, value in before.items():
        jax.config.update(name, value)
