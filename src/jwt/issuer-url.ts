/** The addresses that keys may be fetched from: who answers there decides who is let in. */

import { isIP } from 'node:net';

/** True for https, and for http to this machine. */
export function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}
