import { describe, expect, test } from 'vitest';
import { read } from './support.ts';

const goesOn = (command: string) => {
  const { understood, background } = read(command);
  return [understood, background];
};

describe('what goes on after its command', () => {
  test.each([
    // The shell does not wait for a process substitution, so one that changes something is in the background.
    'true > >(sleep 4; echo x >> src/a)',
    'exec 3< <(sleep 4; rm x)',
    'true < <(sleep 4; rm x)',
    // The filter is not the last to write: `sleep` decides when.
    'ls | tee >(sleep 4; cat > x)',
    // A program of which nothing is known need not end with its input.
    'ls | tee >(node collect.js)',
    // Neither `exec`, nor a function, nor `head` waits for the end of what it is given.
    'exec 3< <(node x.js)',
    'true < <(node x.js)',
    'f() { :; }; f <(node x.js)',
    'head -1 <(node x.js)',
    'read x < <(node x.js)',
    `awk 'BEGIN { system("sleep 4; rm x &") }'`,
    `awk 'BEGIN { system("sleep 4; " ENVIRON["X"] " &") }'`,
    `awk '{ print | "sh -c \\"rm x &\\"" }' f`,
    `awk 'BEGIN { "rm x &" | getline }'`,
    "sed '1e sleep 4; rm x &' f",
    "sed 's/.*/rm x \\&/e' f",
    "git -c alias.x='!sleep 4; rm x &' x",
    "git -c core.fsmonitor='rm x &' status",
    "git -c core.sshCommand='rm x &' fetch",
    "GIT_EXTERNAL_DIFF='rm x &' git diff",
    "make -f - <<'E'\na:\n\tsleep 4; rm x &\nE",
    "make --eval='a: ; rm x &'",
    "PROMPT_COMMAND='rm x &' bash -i",
    "export PROMPT_COMMAND='rm x &'",
    "ssh-agent sh -c 'sleep 4; rm x &'",
    'redis-server --daemonize yes',
    'redis-server --daemonize=yes',
    'mongod --fork --logpath x',
    'gunicorn --daemon app:app',
    'gunicorn -D app:app',
    'memcached -d',
    'nginx',
    'docker run -p 80:80 -d nginx',
    'docker compose -f x.yml up -d',
    'docker exec -itd db sh',
    'start-anything --detach',
    'setsid rm x',
    'nohup rm x',
    'sleep 4 & disown',
    "at now <<< 'rm x'",
    'systemd-run rm x',
    'screen -d -m rm x',
    "tmux new -d 'rm x'",
    "tmux ls \\; new -d 'rm x'",
    'service nginx restart',
    'launchctl load x.plist',
  ])('F-6: %s', (command) => expect(goesOn(command)).toEqual([true, true]));

  test.each([
    'diff <(sort a) <(sort b)',
    'diff <(node a.js) <(node b.js)',
    'while read -r x; do echo "$x"; done < <(git ls-files)',
    'while read -r x; do echo "$x"; done < <(npm ls)',
    'mapfile -t names < <(node names.js)',
    'source <(kubectl completion bash)',
    // These filters end when their input does, and what they write is in scope or was refused.
    'ls | tee >(wc -l)',
    'ls | tee >(wc -l > count.txt)',
    'npm test > >(tee out.log) 2> >(tee err.log >&2)',
    'true > >(sleep 4)',
    'comm -12 <(sort a | uniq) <(cut -f1 b | sort)',
    `awk '{ gsub(/a/, "[&]"); print }' f`,
    `awk 'BEGIN { "date" | getline d; print d }'`,
    "sed 's/a/[&]/' f",
    "git commit -m 'this & that'",
    "git -c user.name='A & B' commit -m x",
    'make a && make b',
    'docker exec -it db psql -d app',
    'docker run --rm -v "$PWD:/w" node:20 npm test',
    'redis-server --daemonize no',
    'nginx -t',
    'git checkout --detach',
    'service nginx status',
    'systemctl --user status x',
    'launchctl list',
    'crontab -l',
    'at -l',
    'tmux ls',
  ])('F-6, U-9: %s does not', (command) => expect(goesOn(command)).toEqual([true, false]));
});
