/** URLs that keys may be fetched from. Whoever controls them controls access. */

import { isLoopbackHost } from '../domain/loopback.ts';

/** Whether the URL is https, or http to this machine. */
export function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
