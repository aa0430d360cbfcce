/** Decides when two addresses count as the same. */

/**
 * The address for comparison, never for the provider: Unicode NFKC (full-width digits, ligatures, composed letters),
 * white space as single spaces, case folded.
 */
export function normaliseAddress(address: string): string {
  // Lower case first: a capital sharp s (ẞ) has no upper case, and its small letter has two.
  const folded = address.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  // A sigma at the end of a word is the same letter.
  return folded.replaceAll('ς', 'σ').replace(/\s+/gu, ' ').trim();
}
