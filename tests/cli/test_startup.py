"""Commands start without what they do not need."""

import subprocess
import sys


def test_the_help_needs_neither_numpy_nor_pydantic_nor_torch() -> None:
    program = (
        "import sys\n"
        "from linnet.cli.main import main\n"
        "sys.argv = ['linnet', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'pydantic', 'torch'} & sys.modules.keys()))\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.stdout.strip().endswith("[]")
