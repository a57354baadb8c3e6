import { BOTH, CONTRACT_WORDS, type Footprint, files, folders, skills } from './footprint.ts';

/** pi (docs/hosts/pi.md). */
export const piFootprint: Footprint = {
  host: 'pi',
  title: 'pi',
  programs: ['pi'],
  marks: [],
  names: ['.pi'],
  places: [
    ...files('settings', BOTH, ['.pi/settings.json']),
    ...files('settings', ['home'], ['.pi/agent/settings.json']),
    ...folders('runs', BOTH, '.pi', ['extensions']),
    ...folders('runs', ['home'], '.pi/agent', ['extensions']),
    ...folders('instructs', ['project'], '.pi', ['prompts']),
    ...skills(['project'], '.pi'),
  ],
  system: [],
  moved: [{ variable: 'PI_CODING_AGENT_DIR', from: '.pi/agent' }],
  lastWords: CONTRACT_WORDS,
};
