/** A name within a sentence, which may be written from right to left: Unicode isolates it, where no element can. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
