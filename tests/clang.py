# SPDX-License-Identifier: MIT
"""The clang that tests compile with: that of the build, which Meson names, or
the first that is installed when a script is run by hand."""
import os
import shutil

CLANG = (os.environ.get("HEDDLE_TEST_CLANG")
         or next(filter(shutil.which, (f"clang-{n}" for n in range(19, 23))),
                 "clang"))
