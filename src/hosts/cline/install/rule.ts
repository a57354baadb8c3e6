const MARK = '<!-- written by `pactclaw install`, removed by `pactclaw uninstall` -->';

/** True for a rule that we wrote, in this version or another. */
export function isOurRule(text: string): boolean {
  return text.includes(MARK);
}

/** What an agent of this host must know before its first call: a refusal may end its run. */
export const RULE = `${MARK}

# Handshake

Your tools are governed by PactClaw. Before any other tool, in every request, call \`pactclaw__select_active_intent\` with the
\`intent_id\` of the one intent that the request belongs to, and in \`reasoning\` why. \`.orchestration/active_intents.yaml\` holds the
intents; if you do not know the id, call the tool with your best guess: its refusal names the intents that can be selected.
Until then every other tool is refused, reading included, and a refusal may end your run. After it, change only what the
answer's \`owned_scope\` covers. Take a refusal as information: it says what you may do instead.
`;
