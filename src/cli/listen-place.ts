import { usageError } from './command.ts';

/** Where a server of ours listens. */
export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** `PORT`, `HOST:PORT` or `[IPV6]:PORT`, taken apart; without a host it is this machine alone. */
export function toListenPlace(listen: string): ListenPlace {
  const match = /^(?:(?:\[([0-9a-f:]+)\]|([A-Za-z0-9.-]+)):)?(\d{1,5})$/i.exec(listen);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) throw usageError(`--listen ${listen} is not PORT or HOST:PORT`);
  return { host: match[1] ?? match[2] ?? '127.0.0.1', port };
}
