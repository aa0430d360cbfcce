/**
 * The form of an address in which equal ones are compared; providers get the original. NFKC (full-width digits,
 * ligatures, composed letters), folded case, single spaces.
 */
export function normaliseAddress(address: string): string {
  // Lower case first: ẞ has no upper case of its own, while ß becomes SS.
  const folded = address.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  // ς is σ at the end of a word.
  return folded.replaceAll('ς', 'σ').replace(/\s+/gu, ' ').trim();
}
