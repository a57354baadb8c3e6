import { COMMON_HOLES } from '../shared/verify/common-holes.ts';
import type { Hole } from '../shared/verify/verifier.ts';

/** Ways around the hooks that this host leaves open, as its documentation tells. */
export const HOLES: readonly Hole[] = [
  COMMON_HOLES.NOT_TRIED,
  {
    what: 'Kiro CLI 2',
    why: 'It reads hooks of its agents’ own files alone: an agent of it is not governed by these.',
  },
  {
    what: 'a hook that is late',
    why: 'The client runs the call then. PactClaw refuses by itself after 20 s.',
  },
  { what: 'subagents', why: 'Whether their calls fire hooks is not known.' },
  COMMON_HOLES.NO_USAGE,
];
