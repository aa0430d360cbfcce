/** Where the server listens, and the URL under which a client finds it. */

import { lookup } from 'node:dns/promises';

/** The address of a host. Given the name "localhost", Fastify makes further servers, which would not end in order. */
export async function addressOf(host: string): Promise<string> {
  return (await lookup(host)).address;
}

export function urlOf(host: string, port: number): string {
  // A client cannot connect to an address that means every interface.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
