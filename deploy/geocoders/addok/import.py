"""Imports the addresses of ADDOK_DATA, gzipped files of a JSON object per line, unless they are imported already."""

import gzip
import os
import shutil
import subprocess
import sys
from urllib.request import Request, urlopen

import redis

IMPORTED = "imported"

data = os.environ["ADDOK_DATA"]
# Addok uses the databases 0 and 1.
marks = redis.Redis(host=os.environ["REDIS_HOST"], port=int(os.environ.get("REDIS_PORT", 6379)), db=2)
if marks.get(IMPORTED) == data.encode():
    sys.exit(0)

for url in data.split():
    # A missing file must not cost the present addresses.
    urlopen(Request(url, method="HEAD")).close()
marks.delete(IMPORTED)
subprocess.run(["addok", "reset", "--force"], check=True)
for url in data.split():
    print("Importing", url, flush=True)
    with urlopen(url) as response, gzip.open(response) as lines:
        with subprocess.Popen(["addok", "batch"], stdin=subprocess.PIPE) as batch:
            shutil.copyfileobj(lines, batch.stdin)
        if batch.returncode != 0:
            sys.exit(f"addok batch failed with status {batch.returncode}.")
subprocess.run(["addok", "ngrams"], check=True)
marks.set(IMPORTED, data)
marks.save()
