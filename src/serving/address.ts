/** Where the server listens, and the URL by which a client finds it there. */

import { lookup } from 'node:dns/promises';

/** The one address of a host: given the name "localhost", Fastify makes further servers, which would not end in order. */
export async function addressOf(host: string): Promise<string> {
  return (await lookup(host)).address;
}

export function urlOf(host: string, port: number): string {
  // An address that means every interface is none that a client can ask for.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
