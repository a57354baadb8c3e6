import { isObject, type JsonObject } from '../core/json.ts';

/** Members of `_meta` that every request of the stateless protocol carries (specification 2026-07-28, Base protocol). */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Error codes of the stateless protocol (specification 2026-07-28, Errors). */
export const STATELESS_CODES = { missingCapability: -32021, unsupportedVersion: -32022 } as const;

/** Notices that a client of the stateless protocol subscribes to, by the member that asks for them. */
export const CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
};

/** The `_meta` of a request's parameters. */
export function metaOf(params: unknown): JsonObject {
  return isObject(params) && isObject(params._meta) ? params._meta : {};
}

/** The parameters with what the stateless protocol adds to `_meta` taken out, for who speaks an older version. */
export function withoutEnvelope(params: JsonObject): JsonObject {
  const { _meta: _whole, ...others } = params;
  const {
    [META.version]: _v,
    [META.clientInfo]: _i,
    [META.capabilities]: _c,
    [META.logLevel]: _l,
    ...meta
  } = metaOf(params);
  return Object.keys(meta).length === 0 ? others : { ...others, _meta: meta };
}

/** The notices to subscribe to: those that an older server sends by itself, and of the resources that are followed. */
export function noticesOf(capabilities: JsonObject, uris: readonly string[]): JsonObject {
  const kinds = {
    toolsListChanged: 'tools',
    promptsListChanged: 'prompts',
    resourcesListChanged: 'resources',
  };
  const wanted = Object.entries(kinds).filter(([, kind]) => {
    const offered = capabilities[kind];
    return isObject(offered) && offered.listChanged === true;
  });
  return {
    ...Object.fromEntries(wanted.map(([name]) => [name, true])),
    ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
  };
}
