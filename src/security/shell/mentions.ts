/** Path-like words inside a longer text, such as the code given to an interpreter. */
export function mentionsIn(text: string): readonly string[] {
  if (!/[\s'"`()[\]{},;:=<>|&]/.test(text)) return [];
  const tokens = text.split(/[\s'"`()[\]{},;:=<>|&]+/);
  return tokens.filter((token) => /[./~\\]/.test(token) && token.length > 1 && token.length <= 4096);
}
