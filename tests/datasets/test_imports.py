import subprocess
import sys

HEAVY = ["sklearn", "scipy", "pandas", "pooch", "requests", "numba"]


def test_importing_the_data_sets_imports_no_large_library():
    program = f"import sys, notebook_sne.datasets; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
