/** Requests that arrive in one event-loop turn start together. */

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

import { endOfTurn } from '../../../src/http/request/lifecycle.ts';

describe('endOfTurn', () => {
  it('is the same promise for all calls in one turn, and a new one in the next', async () => {
    const first = endOfTurn();
    expect(endOfTurn()).toBe(first);
    await first;
    const second = endOfTurn();
    expect(second).not.toBe(first);
    await second;
  });

  it('resolves after everything that has arrived is read', async () => {
    const CLIENTS = 8;
    const seen: string[] = [];
    const server = createServer((socket) => {
      socket.on('data', () => {
        seen.push('read');
        void endOfTurn().then(() => seen.push('started'));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const accepted: Socket[] = [];
    server.on('connection', (socket: Socket) => accepted.push(socket));
    const clients = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1'));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    while (accepted.length < CLIENTS) await endOfTurn();
    for (const client of clients) client.write('x');
    // The kernel has them all before this process reads again.
    const until = performance.now() + 50;
    while (performance.now() < until);
    while (seen.length < 2 * CLIENTS) await endOfTurn();
    expect(seen).toEqual([...Array<string>(CLIENTS).fill('read'), ...Array<string>(CLIENTS).fill('started')]);
    for (const client of clients) client.destroy();
    server.close();
  });
});
