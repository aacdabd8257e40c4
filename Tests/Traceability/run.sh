#!/usr/bin/env bash
# Holds the rules of `requirements.toml` against the citations in sources and tests, and writes the table of both:
#   Tests/Traceability/run.sh              fails if a rule has no function or no test, or the article is not up to date
#   Tests/Traceability/run.sh --write      writes that article (Traceability.md in PureAttest.docc), and the line counts in Auditing.md
#   Tests/Traceability/run.sh --citations  prints what cites what
# A citation is "RFC 5280 §4.2.1.9" in a comment, or "§8.3.2" alone where the module has one standard, or "Step 4:" in the files that
# follow a list of steps. It counts for the declaration that the comment stands in or above. Errors' comments do not count.
# Exit status: 0 if all is well, 1 if not, 2 if it could not be run. Needs Python 3.11.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
if ! "$python" -c 'import tomllib' 2>/dev/null; then
    echo "run.sh: $python is older than Python 3.11; PYTHON names another" >&2
    exit 2
fi
exec "$python" "$here/trace.py" "$@"
