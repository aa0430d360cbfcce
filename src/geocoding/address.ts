/** When two addresses are the same question. */

/**
 * The address for comparison, never for the provider: Unicode NFKC (full-width digits, ligatures, composed letters),
 * white space as single spaces, case folded.
 */
export function normaliseAddress(address: string): string {
  const folded = address.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  // A sigma at the end of a word is the same letter.
  return folded.replaceAll('ς', 'σ').replace(/\s+/gu, ' ').trim();
}
