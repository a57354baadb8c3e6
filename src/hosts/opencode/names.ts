export const HOST = 'opencode';

/**
 * Key of the permission that seals a project: it matches every tool, and nobody else would write it so. Our plugin takes
 * it out of the configuration that the host has read; where the plugin does not load, every tool stays denied.
 */
export const SEAL = '**';
