/** Parses query strings strictly: invalid encoding and repeated parameters are errors. */

import { badUserInput } from '../errors.ts';

/**
 * @param search query string without its question mark, percent-encoded; `+` is a space
 * @throws ServiceError BAD_USER_INPUT for invalid percent-encoding, or if a wanted name is repeated
 */
export function readQuery<Name extends string>(
  search: string,
  wanted: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const [name, text] of parametersOf(search)) {
    const known = wanted.find((candidate) => candidate === name);
    if (known === undefined) continue;
    if (found[known] !== undefined)
      throw badUserInput(`The query parameter ${known} is repeated; give it once.`);
    found[known] = text;
  }
  return found;
}

/**
 * All parameters, in order.
 *
 * @throws ServiceError BAD_USER_INPUT for invalid percent-encoding
 */
export function* parametersOf(search: string): Generator<readonly [name: string, value: string], void> {
  for (const part of search.split('&')) {
    if (part !== '') yield [nameOf(part), decode(part.split('=').slice(1).join('='))];
  }
}

/** @throws ServiceError BAD_USER_INPUT for invalid percent-encoding */
export function nameOf(part: string): string {
  return decode(part.split('=', 1)[0] ?? '');
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badUserInput('The query string contains invalid percent-encoding.');
  }
}
