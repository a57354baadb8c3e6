import { describe } from 'vitest';
import { check } from './table.ts';

const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;

describe('apply_patch', () => {
  check([
    [
      `apply_patch <<'EOF'\n${patch('*** Add File: a\n+x\n*** Delete File: b')}\nEOF`,
      { targets: ['delete b', 'write a'] },
    ],
    [
      `cd src && apply_patch <<'EOF'\n${patch('*** Update File: a\n*** Move to: ../b\n@@\n-x\n+y')}\nEOF`,
      { targets: ['move-from src/a', 'move-to src/../b'] },
    ],
    [`apply_patch '${patch('*** Delete File: /etc/x')}'`, { targets: ['delete /etc/x'] }],
    [`applypatch <<< '${patch('*** Delete File: a')}'`, { targets: ['delete a'] }],
    ['apply_patch', { opaque: ['apply_patch'] }],
    ['apply_patch < file', { opaque: ['apply_patch'] }],
    ['apply_patch "$P"', { opaque: ['apply_patch'] }],
    [`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\nEOF`, { opaque: ['apply_patch'] }],
  ]);
});
