import { type Footprint, files, folders } from './footprint.ts';

/** Cline (docs/hosts/cline.md). It runs every file of its folders of hooks that is called after an event. */
export const clineFootprint: Footprint = {
  host: 'cline',
  title: 'Cline',
  programs: ['cline'],
  marks: ['CLINE_ACTIVE'],
  names: ['.clinerules', '.cline'],
  places: [
    ...files('servers', ['home'], ['.cline/data/settings/cline_mcp_settings.json']),
    ...folders('runs', ['project', 'home'], '.cline', ['hooks']),
    ...folders('runs', ['project'], '.clinerules', ['hooks']),
    ...folders('runs', ['home'], 'Documents/Cline', ['Hooks']),
    ...folders('instructs', ['home'], 'Documents/Cline', ['Rules', 'Workflows']),
    { path: '.clinerules', at: ['project'], is: 'instructs', folder: true },
  ],
  system: [],
  moved: [
    { variable: 'CLINE_DIR', from: '.cline' },
    { variable: 'CLINE_DATA_DIR', from: '.cline/data' },
  ],
  lastWords: { refusal: '{"cancel":true,"errorMessage":"REASON"}', quiet: [] },
};
