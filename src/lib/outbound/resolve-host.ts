/**
 * Resolves a host by DNS, without threads of Node's pool: it has four, and slow lookups would block everything else that needs
 * one. Names that DNS does not know, such as those of /etc/hosts or search domains, are resolved by the system, two at a time.
 */

import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

import PQueue from 'p-queue';

/** @throws Error with a code of Node's, such as ENOTFOUND */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Milliseconds per query of a DNS server, and number of tries. */
const SERVER_MS = 1_000;
const TRIES = 2;
/** Concurrent lookups by the system. Each takes a thread. */
const SYSTEM_LOOKUPS = 2;
/** DNS does not know the name, or there are no servers. After a timeout, the system is not tried. */
const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** @param options.servers DNS servers, for tests; those of the machine by default */
export function createResolveHost({ servers }: { readonly servers?: readonly string[] } = {}): ResolveHost {
  const system = new PQueue({ concurrency: SYSTEM_LOOKUPS });
  return async (hostname) => {
    if (hostname === 'localhost') return LOOPBACK;
    // A new one each time, because only the constructor reads which servers there are.
    const dns = new Resolver({ timeout: SERVER_MS, tries: TRIES });
    if (servers !== undefined) dns.setServers(servers);
    const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
    const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
    if (found.length > 0) return found;
    const failure = [...reasonsOf(ipv4), ...reasonsOf(ipv6)].find(
      ({ code }: NodeJS.ErrnoException) => !UNKNOWN.has(code),
    );
    if (failure !== undefined) throw failure;
    return system.add(() => lookup(hostname, { all: true }));
  };
}

function addressesOf(settled: PromiseSettledResult<readonly string[]>, family: 4 | 6): LookupAddress[] {
  return settled.status === 'fulfilled' ? settled.value.map((address) => ({ address, family })) : [];
}

function reasonsOf(settled: PromiseSettledResult<unknown>): Error[] {
  return settled.status === 'rejected' ? [settled.reason as Error] : [];
}
