/** JSON that preserves every number. */

/**
 * Like JSON.stringify, but unsafe integers, infinities and -0 are written so that the server reads the same double. The
 * server rejects unsafe integers written in digits, because digits suggest more precision.
 */
export function exactJson(value: unknown): string {
  // Random, so that no text of a file can contain it.
  let mark = '';
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'number' || isPlain(member)) return member;
    mark ||= `number ${[...crypto.getRandomValues(new Uint32Array(4))].join(' ')}: `;
    return mark + literalOf(member);
  });
  return mark === '' ? text : text.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

function isPlain(number: number): boolean {
  if (!Number.isInteger(number)) return Number.isFinite(number);
  return Number.isSafeInteger(number) && !Object.is(number, -0);
}

function literalOf(number: number): string {
  if (Object.is(number, -0)) return '-0';
  // Out of range for doubles: read as infinity, for which the server rejects the row.
  if (!Number.isFinite(number)) return number > 0 ? '1e999' : '-1e999';
  return number.toExponential();
}
