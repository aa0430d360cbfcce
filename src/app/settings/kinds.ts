/** The types of settings, with the error messages of invalid values. */

import { isIP } from 'node:net';

import * as z from 'zod';

export const wholeNumber = (fallback: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z
    .string()
    .default(String(fallback))
    .refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${max}`}`,
    })
    .transform(Number);

const flagText = () =>
  z.string().refine((text) => ['0', '1', 'true', 'false'].includes(text), { error: 'must be 0 or 1' });

const isOn = (text: string) => text === '1' || text === 'true';

export const flag = (fallback: boolean) =>
  flagText()
    .default(fallback ? '1' : '0')
    .transform(isOn);

/** A flag whose default depends on other things. */
export const optionalFlag = () => flagText().transform(isOn).optional();

export const list = (isItem: (item: string) => boolean, allowed: string) =>
  z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .refine((items) => items.every(isItem), { error: `must be ${allowed}, separated by commas` });

/** Origin and path prefix of a server, such as one that replaces a provider's own. */
export function baseUrl() {
  return z
    .string()
    .refine(isHttpAddress, { error: 'must be an http or https address without a query or credentials' })
    .optional();
}

export const secretKey = () => z.string().min(32, { error: 'must be 32 characters or more' }).optional();

/** Checks only the syntax. The start of a server checks whether the name can be resolved. */
export function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  return text.length <= 253 && /^(?:[\p{L}\p{N}_][\p{L}\p{N}_-]{0,62}(?:\.(?!$)|\.?$))+$/u.test(text);
}

export function isOrigin(text: string): boolean {
  if (text === '*') return true;
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*');
}

/** Whether paths can be appended to the URL, and it contains no credentials or query. */
export function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isBare = [username, password, search, hash].every((part) => part === '');
  return (protocol === 'http:' || protocol === 'https:') && isBare;
}

export function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits] = text.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
