/**
 * The addresses of a host. The servers of DNS are asked without a thread of Node's pool: the pool has four, and names that
 * are answered late, or never, would keep all else waiting that needs one. What DNS does not know may stand in the
 * machine's own files, or be a name within its search domains. Those the system is asked for, two names at a time.
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

/** Milliseconds that a server of DNS has, and how often it is asked. */
const SERVER_MS = 1_000;
const TRIES = 2;
/** Names that the system is asked for at once. Each takes a thread. */
const SYSTEM_LOOKUPS = 2;
/** That DNS knows no such name, or that there are no servers to ask. An answer that is late is no reason to ask the system. */
const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** @param options.servers of DNS, for tests; by default the machine's own */
export function createResolveHost({ servers }: { readonly servers?: readonly string[] } = {}): ResolveHost {
  const system = new PQueue({ concurrency: SYSTEM_LOOKUPS });
  return async (hostname) => {
    if (hostname === 'localhost') return LOOPBACK;
    // A new one each time, since it reads only then which servers there are.
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
