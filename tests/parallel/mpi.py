# SPDX-License-Identifier: MIT
"""How tests start several ranks on this machine: mpirun with what a test needs
(more ranks than processors, root, no network)."""
import os
import re
import shutil
import subprocess

# A rank that waits does not hold a processor, and shared memory is enough.
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root",
          "--mca", "btl", "self,vader", "--mca", "btl_vader_single_copy_mechanism",
          "none", "--mca", "mpi_yield_when_idle", "1"]


def missing(heddle):
    """Why nothing can be tested here, or ""."""
    if not shutil.which("mpirun"):
        return "no mpirun"
    about = subprocess.run([heddle, "--version"], capture_output=True,
                           text=True).stdout
    return "" if "mpi.so" in about else "heddle was built without MPI"


def is_hasty():
    """Does mpirun kill what it ends too soon for a last report?"""
    said = subprocess.run(["mpirun", "--version"], capture_output=True,
                          text=True).stdout
    return int(re.search(r"\b(\d+)\.\d+\.\d+", said)[1]) >= 5


def command(ranks, *words, also=()):
    return [*MPIRUN, *also, "-n", str(ranks), *words]


def environment(grace=0):
    """With `grace`, ranks that mpirun ends because of another one have so many
    seconds for their last words; Open MPI 4 waits that long, twice, whenever a
    rank ends with a code that is not 0."""
    return {**os.environ, "OMPI_MCA_odls_base_sigkill_timeout": str(grace)}
