/** Pipelined requests that may change something wait for one another, and leave no listeners behind. */

import type { Socket } from 'node:net';

import { exchange, listen } from '../../support/raw-http.ts';
import { createMap, withServer } from '../../support/v0.ts';

const POSTS = 40;

describe('many pipelined POSTs', () => {
  it('do not accumulate listeners on their connection', async () => {
    await withServer({}, async (server) => {
      const map = await createMap(server);
      const token = await server.createToken();
      const port = await listen(server);
      const counts: number[] = [];
      server.app.server.on('connection', (socket: Socket) => {
        const count = () => counts.push(socket.listenerCount('close'));
        socket.on('newListener', (event) => event === 'close' && count());
        count();
      });
      const body = JSON.stringify({ fields: { Name: 'N', Address: 'A' } });
      const post = `POST /v0/map/${map}/location HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const { responses } = await exchange(port, post.repeat(POSTS), { responses: POSTS });
      expect(responses.map(({ status }) => status)).toEqual(Array(POSTS).fill(200));
      const [first = 0] = counts;
      // Each but the first has waited for its predecessor.
      expect(counts.length).toBeGreaterThanOrEqual(POSTS);
      expect(Math.max(...counts) - first).toBeLessThanOrEqual(3);
    });
  });
});
