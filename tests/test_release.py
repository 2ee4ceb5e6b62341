"""What is published holds together: versions, dependencies, the files in wheel and sdist, and how they are made."""

import importlib.util
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.second_time import unsteady

yaml = pytest.importorskip("yaml")  # with JupyterLab

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def checker():
    """The module tools/check_distributions.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("check_distributions", ROOT / "tools" / "check_distributions.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_is_one_version():
    import notebook_sne

    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    told = {
        "pyproject": PROJECT["version"],
        "package": notebook_sne.__version__,
        "citation": str(read("CITATION.cff")["version"]),
        "recipe": read("recipe/recipe.yaml")["context"]["version"],
        "changelog": re.search(r"^## (\S+)", changes, re.MULTILINE)[1],
    }
    assert len(set(told.values())) == 1, told


def test_no_test_is_unsteady_at_a_release():
    heading = re.search(r"^## .*$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
    assert "unreleased" in heading or not unsteady()


def test_the_recipe_asks_for_what_the_package_asks_for():
    recipe = read("recipe/recipe.yaml")
    python, *others = recipe["requirements"]["run"]
    assert [each.replace(" ", "") for each in others] == PROJECT["dependencies"]
    assert python == "python >=${{ python_min }}"
    assert f">={recipe['context']['python_min']}" == PROJECT["requires-python"]
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert {each.replace(" ", "") for each in recipe["requirements"]["host"][2:]} == set(build)
    assert [each.replace(" ", "") for each in recipe["build"]["python"]["entry_points"]] == [
        f"{name}={where}" for name, where in PROJECT["scripts"].items()
    ]
    for name in recipe["about"]["license_file"]:
        assert (ROOT / name).is_file(), name
    assert len(recipe["about"]["license_file"]) == sum(len(list(ROOT.glob(each))) for each in PROJECT["license-files"])
    assert recipe["about"]["summary"] == PROJECT["description"]


def test_each_python_of_the_classifiers_is_tried():
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert read(".github/workflows/gate.yml")["jobs"]["pythons"]["strategy"]["matrix"]["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert f"Any Python from {named[0]} to {named[-1]}:" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_what_is_deposited_is_what_is_cited():
    deposit, citation = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8")), read("CITATION.cff")
    assert deposit["title"] == citation["title"]
    # A deposit has one license, that of the software; a distribution also has the text of the course.
    assert deposit["license"] == citation["license"] == "BSD-3-Clause" and "CC BY 4.0" in deposit["description"]
    assert PROJECT["license"] == read("recipe/recipe.yaml")["about"]["license"] == "BSD-3-Clause AND CC-BY-4.0"
    assert citation["references"][0]["license"] == "CC-BY-4.0"
    assert [each["name"] for each in deposit["creators"]] == [each["name"] for each in citation["authors"]]
    assert deposit["keywords"] == citation["keywords"]
    assert deposit["related_identifiers"][0]["identifier"] == citation["repository-code"]


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.y*ml"))
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_only_what_is_pinned(path):
    # A tag can be moved to other code; a commit cannot. The comment says which version it is.
    used = re.findall(r"^[ -]*uses: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    steps = [step for job in read(path)["jobs"].values() for step in job["steps"] if "uses" in step]
    assert len(used) == len(steps) > 0
    assert all(PINNED.fullmatch(each) for each in used), used


def test_an_action_has_one_commit_in_all_workflows():
    used = {each for path in WORKFLOWS for each in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))}
    assert len(used) >= 9
    assert len({each.partition("@")[0] for each in used}) == len(used), sorted(used)


def test_a_release_needs_no_password():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert "secrets." not in text and "password" not in text.split("name: release")[1]
    jobs = yaml.safe_load(text)["jobs"]
    assert jobs["publish"]["permissions"]["id-token"] == "write"
    assert jobs["publish"]["environment"] == "release"
    assert "permissions" not in jobs["build"]  # reads, and no more: it runs what the build requires


@pytest.mark.slow
def test_wheel_and_sdist_hold_what_they_should(tmp_path):
    pytest.importorskip("build")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", tmp_path, ROOT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    check = checker()
    assert check.main([str(tmp_path), "--tag", f"v{PROJECT['version']}"]) == 0
    (wheel,) = tmp_path.glob("*.whl")
    names, about = check.read(wheel)
    tracked = subprocess.run(["git", "ls-files", "notebook_sne"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert set(tracked.stdout.split()) <= set(names)
    assert (
        "](https://github.com/notebook-sne/notebook_sne/raw/HEAD/tutorials/figures/player.png)" in about.get_payload()
    )
    assert about["Description-Content-Type"] == "text/markdown"


METADATA = "Metadata-Version: 2.4\nName: notebook_sne\nVersion: 0.1.0\n\n# notebook_sne\n"


def wheel_of(folder, names, about=METADATA):
    path = folder / "notebook_sne-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
        archive.writestr("notebook_sne-0.1.0.dist-info/METADATA", about)
    return path


def test_what_is_missing_or_too_much_is_told(tmp_path, capsys):
    check = checker()
    needed = [f"notebook_sne/{part}" + ("x" if part.endswith("/") else "") for part in check._NEEDED]
    assert check.faults(wheel_of(tmp_path, needed)) == []
    assert any("kernels.wasm is missing" in fault for fault in check.faults(wheel_of(tmp_path, needed[:2])))
    for junk in ("notebook_sne/__pycache__/a.pyc", "notebook_sne/a.nbi", "tests/test_x.py"):
        (fault,) = {each.partition(": ")[2] for each in check.faults(wheel_of(tmp_path, [*needed, junk]))}
        assert "does not belong there" in fault
    relative = wheel_of(tmp_path, needed, METADATA + "see [it](docs/hosts.md) and [that](https://example.org)\n")
    assert [fault.count("docs/hosts.md") for fault in check.faults(relative)] == [1]
    assert "the tag is v0.2.0, the version 0.1.0" in check.faults(wheel_of(tmp_path, needed), "v0.2.0")[0]
    with tarfile.open(tmp_path / "notebook_sne-0.1.0.tar.gz", "w:gz") as archive:
        about = tmp_path / "PKG-INFO"
        about.write_text(METADATA)
        archive.add(about, "notebook_sne-0.1.0/PKG-INFO")
    assert check.main([str(tmp_path)]) > 0
    assert "CITATION.cff is missing" in capsys.readouterr().err


def test_the_rules_for_deprecations_name_what_is_public():
    import notebook_sne

    rules = " ".join((ROOT / "docs" / "about" / "versions.md").read_text(encoding="utf-8").split())
    rooms = re.search(r"its rooms (.+?); their parameters", rules)[1]
    assert re.findall(r"`(\w+)`", rooms) == sorted(notebook_sne._ROOMS)
    assert "FutureWarning" in rules
    for page in ("README.md", "CONTRIBUTING.md"):
        assert "(docs/about/versions.md)" in (ROOT / page).read_text(encoding="utf-8"), page
