"""The recipe for conda: it renders, and says what the package says. Where conda's channel is not reached, it is not built."""

import pathlib
import re

import pytest

RECIPE = pathlib.Path(__file__).resolve().parents[2] / "Packaging/conda/recipe.yaml"


@pytest.fixture(scope="module")
def rendered():
    rattler = pytest.importorskip("rattler_build")
    (variant,) = rattler.Stage0Recipe.from_file(str(RECIPE)).render(rattler.VariantConfig())
    return variant.recipe.to_dict()


def test_the_recipe_asks_for_what_the_package_does(rendered, root):
    project = (root / "Python/pyproject.toml").read_text()
    oldest = re.search(r'^requires-python = "(.*)"', project, re.M)[1]
    needed = re.search(r'^dependencies = \["(\w+)(.*)"\]', project, re.M)
    run = rendered["requirements"]["run"]
    assert run[:2] == [f"python {oldest}", f"{needed[1]} {needed[2]}"]
    assert rendered["about"]["summary"] == re.search(r'^description = "(.*)"', project, re.M)[1]


def test_the_recipe_is_of_this_version(rendered):
    import streammap

    assert rendered["package"] == {"name": "streammap", "version": streammap.__version__}


def test_the_recipe_makes_one_package_for_every_python_and_leaves_its_libraries_as_they_are(rendered):
    assert rendered["build"]["python"] == {"version_independent": True}
    assert rendered["build"]["dynamic_linking"]["binary_relocation"] is False


def test_what_the_recipe_names_is_there(rendered):
    files = [name for test in rendered["tests"] for name in test.get("files", {}).get("source", [])]
    # The first source is made by a script.
    sources = [(RECIPE.parent / source["path"]).resolve() for source in rendered["source"][1:]]
    assert all(source.is_file() for source in sources)
    assert files == ["feed.py"] and files[0] in [source.name for source in sources]
