"""Runs a command on a pseudo-terminal and follows a script of steps given as JSON on standard input.

Steps: {"wait": TEXT} until the output has it, {"send": TEXT}, {"signal": NAME}, {"resize": [COLUMNS, ROWS]},
{"mark": true} begins anew what "wait" looks at, {"run": [ARGV]} runs another program and waits for it.
Answers with JSON: output, exit code or signal, and whether the terminal's modes are as they were.
"""
import fcntl, json, os, pty, select, signal, struct, subprocess, sys, termios, time

plan = json.load(sys.stdin)
columns, rows = plan["size"]
leader, follower = pty.openpty()


def resize(columns, rows):
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


resize(columns, rows)
before = termios.tcgetattr(follower)
child = subprocess.Popen(
    plan["argv"], stdin=follower, stdout=follower, stderr=follower, cwd=plan["cwd"], env=plan["env"],
    start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
)
output, begin, failed = b"", 0, None


def read(seconds):
    global output
    if select.select([leader], [], [], seconds)[0]:
        output += os.read(leader, 65536)


def until(text):
    deadline = time.monotonic() + plan["timeout"]
    while text.encode() not in output[begin:]:
        if time.monotonic() > deadline or child.poll() is not None and not select.select([leader], [], [], 0.2)[0]:
            return False
        read(0.05)
    return True


for step in plan["steps"]:
    if "wait" in step and not until(step["wait"]):
        failed = step
        break
    if "mark" in step:
        begin = len(output)
    if "send" in step:
        os.write(leader, step["send"].encode())
    if "signal" in step:
        child.send_signal(getattr(signal, step["signal"]))
    if "resize" in step:
        resize(*step["resize"])
        child.send_signal(signal.SIGWINCH)
    if "run" in step:
        subprocess.run(step["run"], cwd=plan["cwd"], env=plan["env"], check=False, capture_output=True)
deadline = time.monotonic() + plan["timeout"]
while child.poll() is None and time.monotonic() < deadline and failed is None:
    read(0.05)
hung = child.poll() is None
if hung:
    child.kill()
    child.wait()
while select.select([leader], [], [], 0.1)[0]:
    read(0)
same = termios.tcgetattr(follower) == before
json.dump(
    {"output": output.decode("utf8", "replace"), "code": child.returncode, "hung": hung, "failed": failed, "restored": same},
    sys.stdout,
)
