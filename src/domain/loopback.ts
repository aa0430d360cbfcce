/** Names and addresses of this machine. */

import { isIP } from 'node:net';

/** @param hostname of a URL: lower case, an IPv6 address in brackets */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}
