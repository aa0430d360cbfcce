/** Looking names up: of DNS first, without a thread of Node's pool, and of the system where DNS knows nothing. */

import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { hostname } from 'node:os';

import { createResolveHost } from '../../src/lib/outbound/resolve-host.ts';

/** A server of DNS that knows a few names, and leaves some without an answer. */
function startServer(
  known: Readonly<Record<string, string>>,
): Promise<{ socket: Socket; address: string; asked: string[] }> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query);
    asked.push(`${name} ${type}`);
    if (name.startsWith('silent')) return;
    const found = type === 1 ? known[name] : undefined;
    const isKnown = name in known;
    const head = Buffer.from(query.subarray(0, 12));
    // An answer to a recursive question: no such name, or none of this type.
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
      resolve({ socket, asked, address: `127.0.0.1:${socket.address().port}` }),
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
  it('asks DNS, for both families', async () => {
    const { socket, address, asked } = await startServer({ 'hooks.test': '192.0.2.7' });
    const resolve = createResolveHost({ servers: [address] });
    expect(await resolve('hooks.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
    expect(asked.toSorted()).toEqual(['hooks.test 1', 'hooks.test 28']);
    socket.close();
  });

  it('asks the system for what DNS does not know', async () => {
    const { socket, address } = await startServer({});
    const resolve = createResolveHost({ servers: [address] });
    // In every machine's own files.
    const found = await resolve(hostname());
    expect(found.length).toBeGreaterThan(0);
    socket.close();
  });

  it('finds this machine by its name without asking anybody', async () => {
    const resolve = createResolveHost({ servers: ['127.0.0.1:9'] });
    expect(await resolve('localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  it('does not wait for others that are never answered', async () => {
    const { socket, address } = await startServer({ 'hooks.test': '192.0.2.7' });
    const resolve = createResolveHost({ servers: [address] });
    // More than Node's pool has threads.
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
