"""Speaks to a worker of stencil-tune (tools/stencil-tune/Protocol.h), and prints its answers."""

import json
import struct
import subprocess
import sys

tune, program, database = sys.argv[1:]
arguments = ["--arg", "0=random:1", "--arg", "1=zeros", "--threads", "1", "--db", database]
worker = subprocess.Popen([tune, program, *arguments, "--worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def ask(what, body=b"", **head):
    text = json.dumps({"do": what, **head}).encode()
    worker.stdin.write(struct.pack("=QQ", len(text), len(body)) + text + body)
    worker.stdin.flush()
    sizes = struct.unpack("=QQ", worker.stdout.read(16))
    answer = json.loads(worker.stdout.read(sizes[0]))
    print(what, {key: len(value) if key == "seconds" else value for key, value in answer.items()})
    return answer, worker.stdout.read(sizes[1])


def show_outputs():
    _, fields = ask("outputs")
    if fields:
        values = struct.unpack("=40d", fields)
        print("v is twice u:", values[20:] == tuple(2 * u for u in values[:20]))


with open(program, "rb") as file:
    ask("start", file.read(), file=program, measures=True)
show_outputs()
parts, compiled = ask("compile", schedule=[])
ask("measure", compiled, runs=4, **parts)
show_outputs()
ask("measure", b"no object", runs=4, **parts)
show_outputs()
worker.stdin.close()
print("exit code", worker.wait())
