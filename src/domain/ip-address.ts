/** Which IP addresses are those of hosts on the public internet. */

import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/** All of IPv6 that is given out to hosts. The package knows what is special within it, and little of the rest. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** An IPv4 address in an IPv6 one, without a mark (`::8.8.8.8`). The package takes it for one that is mapped. */
const COMPATIBLE = /^::[0-9.]+$/;

/**
 * False for loopback, private, link-local, carrier-grade, unspecified, multicast and reserved addresses, for those that
 * stand for an IPv4 address by a translation or a tunnel, and for what is no address. An IPv4 address mapped into IPv6 is
 * what that address is.
 *
 * @param address without brackets
 */
export function isGloballyRoutable(address: string): boolean {
  if (isIP(address) === 0 || COMPATIBLE.test(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}
