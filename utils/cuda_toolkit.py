"""Where NVIDIA's tools are: CUDA_HOME and its likes, the usual folder, PATH, then
NVIDIA's packages from PyPI. The compiler looks for libdevice in the same order."""

import glob
import os
import shutil
import sys


def package_folders():
    """Where Python keeps packages."""
    folders = [p for p in os.environ.get("PYTHONPATH", "").split(":") if p]
    prefixes = [os.environ.get("VIRTUAL_ENV", ""), sys.prefix, os.path.expanduser("~/.local"),
                "/usr/local", "/usr"]
    for prefix in filter(None, prefixes):
        for kind in ("site-packages", "dist-packages"):
            folders += sorted(glob.glob(f"{prefix}/lib/python3*/{kind}"), reverse=True)
    return folders


def toolkit_folders():
    """The toolkits, most wanted first."""
    folders = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")
               if os.environ.get(name)]
    folders.append("/usr/local/cuda")
    ptxas = shutil.which("ptxas")
    if ptxas:
        folders.append(os.path.dirname(os.path.dirname(os.path.realpath(ptxas))))
    for packages in package_folders():
        # One folder a release since CUDA 13, one a component before.
        folders += sorted(glob.glob(f"{packages}/nvidia/cu*"), reverse=True)
    return folders


def find(*parts):
    """The first toolkit's file of this path, or None."""
    for folder in toolkit_folders():
        path = os.path.join(folder, *parts)
        if os.path.exists(path):
            return path
    return None


def find_ptxas():
    return find("bin", "ptxas")


def find_libdevice():
    return find("nvvm", "libdevice", "libdevice.10.bc")


def find_libclc():
    for folder in ("/usr/lib/clc", "/usr/share/clc", "/usr/libexec/clc"):
        path = os.path.join(folder, "nvptx64--.bc")
        if os.path.exists(path):
            return path
    return None
