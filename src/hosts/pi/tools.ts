import type { JsonObject } from '../../core/json.ts';
import type { NamedTarget, TargetRole } from '../../core/tool-call.ts';
import { expandHome } from '../../platform/home.ts';
import { shell } from '../shared/decode/call.ts';
import { malformed } from '../shared/decode/payload.ts';
import { handshakeTool, look, type ToolShape, type ToolTable, write } from '../shared/decode/tool-shape.ts';
import { HOST } from './names.ts';

const UNICODE_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/** A path as the host reads it: without a leading `@`, its odd spaces plain, `~` for the home (its path-utils). */
function asHostReads(path: string): string {
  return expandHome(path.replace(/^@/, '').replace(UNICODE_SPACES, ' '));
}

function fileAt(tool: string, role: TargetRole, required: boolean): (args: JsonObject) => NamedTarget[] {
  return ({ path }) => {
    if (typeof path === 'string' && path !== '') return [{ path: asHostReads(path), role }];
    if (required || path !== undefined) throw malformed(HOST, `${tool} names no path`);
    return [];
  };
}

function looking(tool: string): ToolShape {
  return { ...look(tool), targets: fileAt(tool, 'read', false) };
}

function writing(tool: string): ToolShape {
  return { ...write(tool, 'path'), targets: fileAt(tool, 'write', true) };
}

/** The tools of pi 0.73 (its built-in tools). Those of extensions are undeclared, whatever they are named. */
export const TOOLS: ToolTable = {
  read: looking('file_read'),
  grep: looking('search'),
  find: looking('file_list'),
  ls: looking('file_list'),
  write: writing('file_write'),
  edit: writing('patch'),
  bash: shell(HOST, 'shell', 'command'),
  ...handshakeTool(''),
};
