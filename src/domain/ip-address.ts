/** Which IP addresses belong to hosts on the public internet, and which to one client. */

import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/** All of IPv6 that is assigned to hosts. ipaddr.js knows special ranges within it, but few outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** An IPv4-compatible IPv6 address (`::8.8.8.8`). ipaddr.js takes it for an IPv4-mapped one. */
const COMPATIBLE = /^::[0-9.]+$/;

/**
 * False for loopback, private, link-local, carrier-grade NAT, unspecified, multicast and reserved addresses, for translated
 * or tunnelled IPv4 addresses, and for anything but an address. IPv4-mapped IPv6 addresses count as IPv4 addresses.
 *
 * @param address without brackets
 */
export function isGloballyRoutable(address: string): boolean {
  if (isIP(address) === 0 || COMPATIBLE.test(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** Leading groups of an IPv6 address that name a network: a /64, the smallest that providers assign. */
const NETWORK_GROUPS = 4;

/**
 * What to count a client by: its IPv4 address, or the network of its IPv6 address, which has 2^64 addresses for one client.
 *
 * @param address of a connection, or from a header of a trusted proxy
 */
export function clientNetworkOf(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
