import { clean } from '../output.ts';
import type { Known } from './known.ts';

/** A workspace on the screen. */
export interface Place {
  readonly name: string;
  readonly root: string;
  readonly known: Known;
}

/** Everything that the screen is made of. */
export interface Screen {
  readonly nowMs: number;
  /** Path of the emergency stop file while it is set. */
  readonly estop: string | null;
  readonly places: readonly Place[];
  /** The last thing that the watcher itself has to say. */
  readonly notice: string | null;
}

/** Something of a workspace, with the workspace. */
export type Row<T> = T & { readonly place: Place };

export function rowsOf<T>(screen: Screen, pick: (known: Known) => readonly T[]): Row<T>[] {
  return screen.places.flatMap((place) => pick(place.known).map((one) => ({ ...one, place })));
}

/** Agent-chosen text on one line, made harmless. */
export function plain(text: string): string {
  return clean(text).replace(/ {2,}/g, ' ').trim();
}

/** The time of day of a moment, in the zone of whoever looks. */
export function clock(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '--:--:--';
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
