import http from 'node:http';
import { installFolder } from '../context.ts';
import { readAddress, runFiles } from './places.ts';

const PATIENCE_MS = 3_000;

/** Asks the resident engine of this installation; null if none answers with the proof that its address file holds. */
export function askEngine(method: 'GET' | 'POST', path: string): Promise<string | null> {
  const files = runFiles(installFolder());
  const address = readAddress(files);
  if (!address) return Promise.resolve(null);
  return new Promise((resolve) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port: address.port,
        method,
        path,
        timeout: PATIENCE_MS,
        headers: { authorization: `Bearer ${address.token}` },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(null));
        response.on('end', () => {
          const isOurs =
            response.statusCode === 200 && response.headers['x-pactclaw-proof'] === address.proof;
          resolve(isOurs ? Buffer.concat(chunks).toString() : null);
        });
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(null));
    request.end();
  });
}
