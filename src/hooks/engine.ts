import { postToolUse } from './post-tool-use.ts';
import { preToolUse } from './pre-tool-use.ts';
import type { EventAnswer, EventOrigin, PostToolRequest, PreToolAnswer, PreToolRequest } from './requests.ts';
import { beforeCompact, compacted, sessionStart, stop, userPrompt } from './session-events.ts';
import type { Workspace } from './workspace.ts';

/** The governance boundary of one workspace: every door calls it and nothing else decides (H-20, H-21). */
export interface HookEngine {
  sessionStart(origin: EventOrigin): Promise<EventAnswer>;
  userPrompt(origin: EventOrigin, byHuman: boolean): Promise<EventAnswer>;
  preToolUse(request: PreToolRequest): Promise<PreToolAnswer>;
  postToolUse(request: PostToolRequest): Promise<EventAnswer>;
  beforeCompact(origin: EventOrigin): Promise<EventAnswer>;
  compacted(origin: EventOrigin): Promise<EventAnswer>;
  stop(origin: EventOrigin): Promise<EventAnswer>;
}

/** The engine for a workspace. Holds no state of its own: every event reads what the last one left on disk. */
export function createEngine(workspace: Workspace): HookEngine {
  return {
    sessionStart: (origin) => sessionStart(workspace, origin),
    userPrompt: (origin, byHuman) => userPrompt(workspace, origin, byHuman),
    preToolUse: (request) => preToolUse(workspace, request),
    postToolUse: (request) => postToolUse(workspace, request),
    beforeCompact: (origin) => beforeCompact(workspace, origin),
    compacted: (origin) => compacted(workspace, origin),
    stop: (origin) => stop(workspace, origin),
  };
}
