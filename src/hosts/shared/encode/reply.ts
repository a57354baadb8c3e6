import type { HookReply } from '../../adapter.ts';

/** Hosts cut longer strings at 10,000 characters; we cut before they do, and say so. */
const MAX_TEXT = 9_500;

/** A text that no host cuts. */
export function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}\n… (cut; see .orchestration)`;
}

/** An answer on standard output alone. */
export function jsonReply(output: object): HookReply {
  return { stdout: `${JSON.stringify(output)}\n`, stderr: '', code: 0 };
}

/** A refusal in three forms at once: the host's own answer, the reason on standard error, exit code 2. */
export function refusalReply(output: object, reason: string): HookReply {
  return { stdout: `${JSON.stringify(output)}\n`, stderr: `${reason}\n`, code: 2 };
}

/** An answer that refuses nothing, with something that the human should see. */
export function noticeReply(output: object, notice: string): HookReply {
  return { ...jsonReply(output), stderr: `${notice}\n` };
}
