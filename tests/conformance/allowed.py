# SPDX-License-Identifier: GPL-3.0-or-later
"""The differences that are allowed: the names at the start of the items of DIFFERENCES.md."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
MOST = 9


def differences():
    with open(os.path.join(HERE, "DIFFERENCES.md"), encoding="utf-8") as f:
        names = re.findall(r"^- `([^`]+)`: \S", f.read(), re.M)
    if len(names) > MOST:
        raise SystemExit("DIFFERENCES.md has %d items, at most %d are allowed" % (len(names), MOST))
    return set(names)


def judge(passed, failed, allowed, whole):
    """0 or 1: all failures are allowed, and with the whole kit played every allowed one fails."""
    surprises = sorted(set(failed) - allowed)
    stale = sorted(allowed - set(failed)) if whole else []
    print("%d pass, %d differ as DIFFERENCES.md says" % (passed, len(set(failed) & allowed)))
    if surprises:
        print("Unexpected differences: " + ", ".join(surprises))
    if stale:
        print("These do not differ any more, take them out of DIFFERENCES.md: " + ", ".join(stale))
    return 1 if surprises or stale else 0
