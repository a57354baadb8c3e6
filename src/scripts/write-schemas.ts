import fs from 'node:fs';
import path from 'node:path';
import { contractSchemas } from '../hosts/generic/json-schema.ts';

/** Writes the contract's JSON Schemas, which the package carries (`npm run schemas`). */
const folder = path.resolve(import.meta.dirname, '../../schema');
fs.mkdirSync(folder, { recursive: true });
for (const [name, schema] of Object.entries(contractSchemas()))
  fs.writeFileSync(path.join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
