/** Reads a query string strictly: broken encoding and repeated parameters are errors. */

import { badUserInput } from '../errors.ts';

/**
 * @param search the query string without its question mark, percent-encoded; `+` stands for a space
 * @throws ServiceError BAD_USER_INPUT for broken percent-encoding, or when one of the names is given twice
 */
export function readQuery<Name extends string>(
  search: string,
  wanted: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const part of search.split('&')) {
    const name = nameOf(part);
    const known = wanted.find((candidate) => candidate === name);
    const text = decode(part.split('=').slice(1).join('='));
    if (known === undefined) continue;
    if (found[known] !== undefined) throw badUserInput(`The query parameter ${known} is given twice.`);
    found[known] = text;
  }
  return found;
}

/** @throws ServiceError BAD_USER_INPUT for broken percent-encoding */
export function nameOf(part: string): string {
  return decode(part.split('=', 1)[0] ?? '');
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badUserInput('The query string holds broken percent-encoding.');
  }
}
