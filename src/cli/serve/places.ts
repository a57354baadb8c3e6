import { randomHex } from '../../platform/clock.ts';
import { replaceFile } from '../../platform/durable-files.ts';
import { readRegular, removeFile } from '../../platform/files.ts';
import { userFolder } from '../../platform/home.ts';
import { makePrivateFolder } from '../../platform/list-folder.ts';

/** What a client of the resident engine must know to reach it, and to know it for the right one. */
export interface Address {
  readonly port: number;
  /** Tells the engine that a client may ask. */
  readonly token: string;
  /** Tells a client that the answer is the engine's: a port can be taken over once its owner is gone. */
  readonly proof: string;
}

/** Files of the resident engine of one installation, in a folder that only this user can enter. */
export interface RunFiles {
  readonly folder: string;
  /** Held open and locked for as long as the engine lives. */
  readonly lock: string;
  /** A hook is starting the engine, or could not: it is not tried again for every event. */
  readonly starting: string;
  /** One line: port, token, proof. The shell client reads it, so its name is the program's path with `_` for `/`. */
  readonly address: string;
}

export function runFiles(install: string): RunFiles {
  const folder = `${userFolder()}/run`;
  const name = `${install}/bin`.replaceAll('/', '_');
  return {
    folder,
    lock: `${folder}/${name}.lock`,
    starting: `${folder}/${name}.starting`,
    address: `${folder}/${name}`,
  };
}

/** Both secrets of an engine that begins. */
export function newSecrets(): Omit<Address, 'port'> {
  return { token: randomHex(16), proof: randomHex(16) };
}

export function writeAddress(files: RunFiles, { port, token, proof }: Address): void {
  makePrivateFolder(files.folder);
  replaceFile(files.address, `${port} ${token} ${proof}\n`, { durable: false, mode: 0o600 });
}

/** The address that a running engine has left; null when there is none. */
export function readAddress(files: RunFiles): Address | null {
  const text = readRegular(files.address, 1024)?.toString('latin1') ?? '';
  const [port = '', token = '', proof = ''] = text.trim().split(' ');
  return /^\d+$/.test(port) && token !== '' && proof !== '' ? { port: Number(port), token, proof } : null;
}

export function removeAddress(files: RunFiles): void {
  removeFile(files.address);
}
