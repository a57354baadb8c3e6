/** Replacement for a secret. */
export const MASK = '[masked]';

/** Secrets that are known by their own shape. Every repetition is bounded, so that no text makes it slow. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bsk-(?:ant|proj|svcacct|admin|or-v1)-[\w-]{16,}/g,
  /\bsk-(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{20,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bgh[oprsu]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/g,
];

/**
 * `Authorization: Bearer …`; outside a header only a word with a digit counts, because "bearer responsibilities" is
 * prose.
 */
const HEADER =
  /(\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic|token|digest)\s{1,4})?)[^\s"',;]{4,}/gi;
const BEARER = /\b(bearer\s{1,4})(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{12,}={0,2}/gi;

/** `scheme://user:password@host`. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"']{0,80}:)[^\s/@"']{1,256}@/gi;

const NAMED =
  /((?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|private[_-]?key|secret[_-]?access[_-]?key|credentials?)["']?)(\s{0,4}(?:=(?![=>])|:(?![:/]))\s{0,4})("[^"\n]{1,512}"|'[^'\n]{1,512}'|[^\s"',;&)(<>{}[\]]{3,})(\(?)/gi;
const FLAG = /(--[a-z-]{0,20}(?:password|passwd|secret|token|api-key)\s{1,4})(?!-)([^\s"'$<[]{3,})/gi;

/** A value that only names a secret or says that there is none. */
const REFERENCE =
  /^["']?(?:\$|%|process\.|env[.:]|os\.|import\.|\*|x{3,}|\.{2,}|…|null\b|none\b|undefined\b|true\b|false\b|required\b|optional\b|string\b|redacted|masked|\[|<|\{)/i;

function isSecretValue(key: string, joint: string, value: string, call: string): boolean {
  if (call !== '' || REFERENCE.test(value)) return false;
  if (/^pwd/i.test(key) && /^["']?[/.~]/.test(value)) return false;
  if (/^["']/.test(value)) return value.length > 5;
  if (joint === '=') return true;
  return /\d/.test(value) && value.length >= 6;
}

/** What every pattern above needs to match at all: one look tells of most texts that they hold no secret. */
const MAY_HOLD =
  /[=:]|--|bearer|authorization|A[KSBC]IA|ACCA|[rs]k[-_]|gh[oprsu]_|github_pat_|glpat-|npm_|hf_|xox|AIza|eyJ/i;

/**
 * Removes what looks like a secret before a text is stored or shown (H-108, R-43): private keys, cloud and forge
 * tokens, bearer headers, `password=…`, passwords in URLs. Hashes, UUIDs, paths and prose stay. Masking twice gives
 * the same as masking once. Not complete: a secret without a known shape or name stays.
 */
export function maskSecrets(text: string): string {
  if (!MAY_HOLD.test(text)) return text;
  let masked = text;
  for (const shape of SHAPES) masked = masked.replace(shape, MASK);
  return masked
    .replace(HEADER, (all, head: string) => (all.slice(head.length).startsWith(MASK) ? all : head + MASK))
    .replace(BEARER, `$1${MASK}`)
    .replace(URL_PASSWORD, `$1${MASK}@`)
    .replace(FLAG, `$1${MASK}`)
    .replace(NAMED, (all, key: string, joint: string, value: string, call: string) => {
      if (!isSecretValue(key, joint, value, call)) return all;
      const quote = /^["']/.test(value) ? value.charAt(0) : '';
      return `${key}${joint}${quote}${MASK}${quote}`;
    });
}

/**
 * Masks every text in a JSON value, member names included. A text is also masked if its member's name says that it is
 * a secret.
 */
export function maskFacts<T>(value: T): T {
  const masked = (one: unknown, name: string): unknown => {
    if (typeof one === 'string') {
      const text = maskSecrets(one);
      return maskSecrets(`${name}="${text.replaceAll('"', "'")}"`) === `${name}="${MASK}"` ? MASK : text;
    }
    if (Array.isArray(one)) return one.map((each) => masked(each, name));
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([key, each]) => [maskSecrets(key), masked(each, key)]),
    );
  };
  return masked(value, '') as T;
}
