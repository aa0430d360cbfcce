/** Keys by the letters that are printed on a Latin keyboard. */

/**
 * The letter of a key in lower case, or its name, such as `Enter`. A keyboard with other letters, such as an Arabic one,
 * has the Latin letters at the same places.
 */
export function latinKey({ key, code }: { readonly key: string; readonly code: string }): string {
  if (key.length !== 1) return key;
  if (key === '؟') return '?';
  const isOther = /\p{L}/u.test(key) && !/\p{Script=Latin}/u.test(key);
  const letter = isOther ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return (letter ?? key).toLowerCase();
}
