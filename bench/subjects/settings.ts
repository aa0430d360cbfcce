/** The settings of a subject, from its environment. */

/** @throws Error when it is missing */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The setting ${name} is missing.`);
  return value;
}

export const HOST = '127.0.0.1';
export const port = (): number => Number(setting('PORT'));
