/** Loopback names and addresses. */

import { isIP } from 'node:net';

/** @param hostname of a URL: lower case, IPv6 addresses in brackets */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}
