/** Whether a path is a folder or lies in it, by name alone: both written the same way, the folder without a slash at its end. */
export function under(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
