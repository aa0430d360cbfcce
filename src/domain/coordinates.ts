/** Coordinates as plain decimals, the format of /v0. */

/**
 * The shortest decimal without an exponent that parses to the same double: `64.1466`, `0.0000001`.
 *
 * @param degrees a finite number
 */
export function toPlainDecimal(degrees: number): string {
  const shortest = String(degrees);
  if (!shortest.includes('e')) return shortest;
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(shortest);
  if (match === null) return shortest;
  const [, sign = '', lead = '', rest = '', exponentText = '0'] = match;
  const digits = lead + rest;
  const exponent = Number(exponentText);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, '0');
}
