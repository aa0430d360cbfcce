/** Formats a double without an exponent. */

export function toPlainDecimal(value: number): string {
  const shortest = String(value);
  return shortest.includes('e') ? withoutExponent(shortest) : shortest;
}

function withoutExponent(text: string): string {
  const [mantissa = '', exponentText = '0'] = text.split('e');
  const exponent = Number(exponentText);
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
    : sign + digits.padEnd(exponent + 1, '0');
}
