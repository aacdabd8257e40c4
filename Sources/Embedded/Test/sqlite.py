"""SQLite behind standard input and output, one JSON object a line: {"sql": …, "values": […]} in, {"rows": […]} or {"error": …} out.

Blobs are {"blob": base64}. Node has SQLite of its own only from version 22 on.
"""

import base64
import json
import sqlite3
import sys


def from_json(value):
    return base64.b64decode(value["blob"]) if isinstance(value, dict) else value


def to_json(value):
    return {"blob": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def main():
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.row_factory = sqlite3.Row
    for line in sys.stdin:
        request = json.loads(line)
        try:
            rows = database.execute(request["sql"], [from_json(value) for value in request["values"]]).fetchall()
            answer = {"rows": [{key: to_json(row[key]) for key in row.keys()} for row in rows]}
        except sqlite3.Error as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


main()
