import { BOTH, type Footprint, files } from './footprint.ts';

/** Cursor (docs/hosts/cursor.md). It obeys whatever lies in the project's folder. */
export const cursorFootprint: Footprint = {
  host: 'cursor',
  title: 'Cursor',
  programs: ['cursor-agent'],
  marks: ['CURSOR_AGENT'],
  names: ['.cursor'],
  places: [
    ...files('runs', BOTH, ['.cursor/hooks.json']),
    ...files('servers', BOTH, ['.cursor/mcp.json']),
    { path: '.cursor', at: ['project'], is: 'instructs', folder: true },
  ],
  system: ['/etc/cursor', '/Library/Application Support/Cursor'],
  lastWords: {
    refusal: '{"permission":"deny","continue":false,"user_message":"REASON","agent_message":"REASON"}',
    quiet: ['sessionStart', 'sessionEnd', 'stop', 'preCompact'],
  },
};
