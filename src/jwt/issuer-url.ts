/** The addresses that keys may be fetched from: who answers there decides who is let in. */

import { isLoopbackHost } from '../domain/loopback.ts';

/** True for https, and for http to this machine. */
export function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
