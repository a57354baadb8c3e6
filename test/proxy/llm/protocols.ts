import type { Wire } from '../../../fixtures/llm/answers.ts';
import { anthropic } from '../../../src/proxy/llm/anthropic/index.ts';
import { chat } from '../../../src/proxy/llm/chat/index.ts';
import { gemini } from '../../../src/proxy/llm/gemini/index.ts';
import { responses } from '../../../src/proxy/llm/responses/index.ts';
import type { Protocol } from '../../../src/proxy/llm/wire.ts';

export const PROTOCOLS: Readonly<Record<Wire, Protocol>> = { anthropic, chat, gemini, responses };
