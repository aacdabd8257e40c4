#!/usr/bin/env bash
# Compares the rules of `requirements.toml` with the citations in sources and tests:
#   Tests/Checks/Traceability/run.sh              fails if a rule has no function or no test, or the article is stale
#   Tests/Checks/Traceability/run.sh --write      writes the article (Traceability.md) and Auditing.md's line counts
#   Tests/Checks/Traceability/run.sh --citations  prints the citations
# A citation is "RFC 5280 §4.2.1.9" in a comment, "§8.3.2" in a module that implements one standard, or "Step 4:" in a file that follows a
# list of steps. A citation belongs to the declaration that contains or follows the comment. Comments on error types are ignored. Exit
# status: 0 if there are no errors, 1 if there are, 2 if the check could not run. Needs Python 3.11.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../python.sh"
exec "$python" "$here/trace.py" "$@"
