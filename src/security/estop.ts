import { createFile } from '../platform/durable-files.ts';
import { exists, makeDirectory, removeFile } from '../platform/files.ts';
import { userFolder } from '../platform/home.ts';
import { inMoment } from '../platform/moment.ts';

/** The file whose presence stops every agent of this user. */
export function estopFile(): string {
  return `${userFolder()}/ESTOP`;
}

/** The file's path while the emergency stop is set; anything standing at its name counts. */
export function readEstop(): string | null {
  const file = estopFile();
  return inMoment(`estop ${file}`, () => exists(file)) ? file : null;
}

/** Sets the stop; false when it was set already. */
export function setEstop(note: string): boolean {
  makeDirectory(userFolder());
  return createFile(estopFile(), note, 0o600);
}

/** Clears the stop; false when it was not set. */
export function clearEstop(): boolean {
  if (readEstop() === null) return false;
  removeFile(estopFile());
  return true;
}
