/** Host lookup: by DNS first, without a thread of Node's pool, then by the system. */

import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { hostname } from 'node:os';

import { createResolveHost } from '../../../src/lib/outbound/resolve-host.ts';

/** A DNS server that knows a few names, and ignores some queries. */
function startServer(
  known: Readonly<Record<string, string>>,
): Promise<{ socket: Socket; address: string; queries: string[] }> {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query);
    queries.push(`${name} ${type}`);
    if (name.startsWith('silent')) return;
    const found = type === 1 ? known[name] : undefined;
    const isKnown = name in known;
    const head = Buffer.from(query.subarray(0, 12));
    // The response to a recursive query: no such name, or no record of this type.
    head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(found === undefined ? 0 : 1, 6);
    head.writeUInt32BE(0, 8);
    const response =
      found === undefined
        ? []
        : [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]), Buffer.from(found.split('.').map(Number))];
    socket.send(Buffer.concat([head, query.subarray(12, end), ...response]), port, address);
  });
  return new Promise((resolve) => {
    socket.bind(0, '127.0.0.1', () =>
      resolve({ socket, queries, address: `127.0.0.1:${socket.address().port}` }),
    );
  });
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

describe('looking up a host', () => {
  it('queries DNS for both address families', async () => {
    const { socket, address, queries } = await startServer({ 'hooks.test': '192.0.2.7' });
    const resolve = createResolveHost({ servers: [address] });
    expect(await resolve('hooks.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
    expect(queries.toSorted()).toEqual(['hooks.test 1', 'hooks.test 28']);
    socket.close();
  });

  it('falls back to the system for names unknown to DNS', async () => {
    const { socket, address } = await startServer({});
    const resolve = createResolveHost({ servers: [address] });
    // The hosts file of every machine has its own name.
    const found = await resolve(hostname());
    expect(found.length).toBeGreaterThan(0);
    socket.close();
  });

  it('resolves this machine without a query', async () => {
    const resolve = createResolveHost({ servers: ['127.0.0.1:9'] });
    expect(await resolve('localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  it('does not wait for other lookups that get no response', async () => {
    const { socket, address } = await startServer({ 'hooks.test': '192.0.2.7' });
    const resolve = createResolveHost({ servers: [address] });
    // More than the threads of Node's pool.
    const silent = Array.from({ length: 20 }, (_, index) =>
      resolve(`silent${index}.test`).then(
        () => 'found',
        (error: NodeJS.ErrnoException) => error.code,
      ),
    );
    let isOver = false;
    void Promise.race(silent).then(() => {
      isOver = true;
    });
    expect(await resolve('hooks.test')).toHaveLength(1);
    expect(isOver).toBe(false);
    expect(new Set(await Promise.all(silent))).toEqual(new Set(['ETIMEOUT']));
    socket.close();
  });
});
