/** The hook engine's public door (H-20): the machine it runs, its named hooks, and the engine itself. */
export { advance, BEGINNING, handshakeMachine } from '../core/machine.ts';
export { createEngine, type HookEngine } from './engine.ts';
export { INSTALLED_RULES, type NamedHook, PIPELINE } from './pipeline.ts';
export type {
  Door,
  EventAnswer,
  EventOrigin,
  PostToolRequest,
  PreToolAnswer,
  PreToolRequest,
  ReportedUsage,
  Standing,
  TranscriptSource,
} from './requests.ts';
export { findWorkspace, type Workspace, workspaceAt } from './workspace.ts';
