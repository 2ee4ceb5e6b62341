"""Try the recipe of the conda package on an sdist: ``python tools/try_conda.py dist/notebook_sne-0.1.0.tar.gz``.

Needs ``pip install py-rattler-build pip hatchling hatch-fancy-pypi-readme``, and no channel: the recipe is read and
rendered as conda-forge does it, with this sdist and its checksum in the place of the published one. Then the package is
built by the tools of this Python, and its requirements and files are compared with those of the recipe and the sdist.
What needs a channel, the tests of the recipe in clean environments, is left to conda-forge. Prints the checksum.
"""

import hashlib
import json
import sys
import tarfile
import tempfile
from pathlib import Path

import rattler_build
import yaml

RECIPE = Path(__file__).parents[1] / "recipe" / "recipe.yaml"


def on(sdist):
    """Return the recipe with an sdist on this disk as its source."""
    recipe = yaml.safe_load(RECIPE.read_text(encoding="utf-8"))
    recipe["source"] = {"path": str(sdist), "sha256": hashlib.sha256(sdist.read_bytes()).hexdigest()}
    return recipe


def rendered(recipe):
    """Return what rattler-build makes of a recipe for the one Python that it names."""
    settings = rattler_build.VariantConfig({"python_min": [recipe["context"]["python_min"]]})
    (one,) = rattler_build.Stage0Recipe.from_dict(recipe).render(settings)
    return one


def built(recipe, room):
    """Return the package that a recipe makes by the tools of this Python, from an empty channel."""
    for platform in ("noarch", "linux-64"):
        place = room / "channel" / platform
        place.mkdir(parents=True)
        place.joinpath("repodata.json").write_text(json.dumps({"packages": {}, "packages.conda": {}}))
    install = f"{sys.executable} -m pip install . --no-deps --no-build-isolation --prefix $PREFIX"
    here = {**recipe, "requirements": {**recipe["requirements"], "host": []}}
    here["build"] = {**recipe["build"], "script": [install]}
    del here["tests"]
    rendered(here).run_build(
        output_dir=room / "out",
        channels=[(room / "channel").as_uri()],
        env_isolation=rattler_build.EnvironmentIsolation.NONE,
        no_build_id=True,
    )
    (file,) = (room / "out" / "noarch").glob("*.conda")
    return rattler_build.Package.from_file(file)


def faults(package, recipe, sdist):
    """List what is wrong with a package."""
    least = recipe["context"]["python_min"]
    wanted = [each.replace("${{ python_min }}", least) for each in recipe["requirements"]["run"]]
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    inside = {name for name in inside if name.startswith("notebook_sne/")}
    sources = {name for name in inside if name.endswith((".py", ".js", ".npz", ".wasm"))}
    missing = sorted(sources - {name.removeprefix("site-packages/") for name in package.files})
    found = [f"{name} is not in the package" for name in missing]
    if list(package.depends) != wanted:
        found.append(f"it requires {list(package.depends)}, the recipe {wanted}")
    if package.noarch != "python":
        found.append(f"it is noarch {package.noarch}")
    return found


def main(sdist):
    """Render and build, and say what is wrong; return how much that is."""
    sdist = Path(sdist).resolve()
    recipe = on(sdist)
    rendered(recipe)
    with tempfile.TemporaryDirectory() as room:
        package = built(recipe, Path(room))
        wrong = faults(package, recipe, sdist)
        size = Path(package.path).stat().st_size
        print(*wrong, f"{package.filename}: {len(package.files)} files, {size / 1e6:.1f} MB", sep="\n")
    print(f"sha256: {recipe['source']['sha256']}")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
