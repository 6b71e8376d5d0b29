"""What the fast twins of rule books share: facts in columns of integers, and functions of compiled loops."""

import os

from banzuke.columnar.kernel_cache import folder_of_kernels

# Before any of them is compiled; an environment that names a folder of its own keeps it.
os.environ.setdefault("NUMBA_CACHE_DIR", str(folder_of_kernels()))
