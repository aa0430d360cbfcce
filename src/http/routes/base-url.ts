/** The address by which a client reached the server, for absolute links. */

import type { FastifyRequest } from 'fastify';

// A host name or address, with an optional port. Any other Host header must not get into answers.
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

export function baseUrlOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  const { host } = request;
  // A proxy may pass on whatever a client sent.
  const protocol = request.protocol === 'https' ? 'https' : 'http';
  const { localAddress = 'localhost', localPort = 80 } = request.socket;
  const local = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${protocol}://${HOST.test(host) ? host : `${local}:${localPort}`}`;
}
