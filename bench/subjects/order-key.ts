/** The sortable form of an order; see src/domain/list/order.ts. */

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

export function encodeOrder(order: string): string {
  const match = DECIMAL.exec(order);
  if (match === null) return `3${order}`;
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = (whole + fraction).replace(/0+$/, '');
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return '1';
  const exponent = whole.length - (digits.length - significant.length) + 500;
  if (sign === '') return `2${pad(exponent)}${significant}`;
  const complement = significant.replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
  return `0${pad(999 - exponent)}${complement}~`;
}

function pad(number: number): string {
  return String(number).padStart(3, '0');
}
