/** One spelling for every way of writing a name: case and compatibility forms fold together (H-61). */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
