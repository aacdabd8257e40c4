# Sets `python` to the program that PYTHON names (python3). Exits with status 2 if it is older than Python 3.11.
python=${PYTHON:-python3}
if ! "$python" -c 'import tomllib' 2>/dev/null; then
    echo "run.sh: $python is older than Python 3.11; PYTHON names another" >&2
    exit 2
fi
