/** JSON that keeps every number as it is. */

/**
 * As JSON.stringify, but a number that is not finite, that no integer of JSON holds exactly, or that is -0 is written so
 * that it is read as the same double. The server refuses such integers written in digits, since digits promise more.
 */
export function exactJson(value: unknown): string {
  // No text of a file can hold it.
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
  // Beyond every double: it is read as infinite again, and refused by its row.
  if (!Number.isFinite(number)) return number > 0 ? '1e999' : '-1e999';
  return number.toExponential();
}
