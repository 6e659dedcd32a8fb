"""What zsh completes at the end of a command line, one word per line.

usage: complete_zsh.py FUNCTIONS WORK COMMAND_LINE

FUNCTIONS is the directory of the completion functions, WORK an empty one. A zsh on
a pseudo terminal gets the line and a tab; its compadd writes what it is given.
"""

import os
import pty
import sys

functions, work, line = sys.argv[1:]
SETUP = """
PROMPT=
fpath=(%s $fpath)
autoload -Uz compinit
compinit -u -D
bindkey '^I' complete-word
compadd () {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $hits >> %s/words
  builtin compadd "$@"
}
finish () { : > %s/done; exit }
comppostfuncs=(finish)
""" % (functions, work, work)
os.makedirs(work)
with open(os.path.join(work, ".zshrc"), "w") as file:
    file.write(SETUP)

child, terminal = pty.fork()
if child == 0:
    os.environ["ZDOTDIR"] = work
    os.environ["TERM"] = "vt100"
    os.execvp("zsh", ["zsh", "-d", "-i"])
os.write(terminal, (line + "\t").encode())
output = b""
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    output += piece
os.waitpid(child, 0)
if not os.path.exists(os.path.join(work, "done")):
    sys.exit("zsh completed nothing: " + output.decode(errors="replace"))
text = output.decode(errors="replace")
for fault in ("command not found", "parse error", "_arguments:", "bad pattern", "no such file"):
    if fault in text:
        sys.exit(text)
words = os.path.join(work, "words")
if os.path.exists(words):
    with open(words) as file:
        print("".join(sorted(set(file))), end="")
