/** The client against a server: reads, writes and change streams, with and without responses from the server. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Client, LocationChange } from '../../src/client/index.ts';
import { createClient, MapLocationsError } from '../../src/client/index.ts';
import { deleteMap, makeLocations, makeMap } from '../support/graphql.ts';
import { listen } from '../support/raw-http.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

describe('the client', () => {
  let server: TestServer;
  let url: string;
  let token: string;
  let client: Client;
  beforeAll(async () => {
    server = await createTestServer();
    url = `http://127.0.0.1:${await listen(server)}`;
    token = await server.createToken();
    client = createClient({ url, token });
  });
  afterAll(() => {
    // `fetch` keeps connections alive.
    server.app.server.closeIdleConnections();
    return server.close();
  });

  const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  };
  const take = async (changes: AsyncIterator<LocationChange>, count: number): Promise<LocationChange[]> => {
    const taken: LocationChange[] = [];
    while (taken.length < count) {
      const { done, value } = await changes.next();
      if (done === true) throw new Error('The changes ended.');
      taken.push(value);
    }
    return taken;
  };
  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return 'OK';
    } catch (error) {
      expect(error).toBeInstanceOf(MapLocationsError);
      return (error as MapLocationsError).code;
    }
  };

  it('reads a map of several pages, in its order or another, and only as far as needed', async () => {
    const { id } = await makeMap(server);
    const made = await makeLocations(server, id, Array<null>(250).fill(null));
    const map = client.map(id);
    const all = await collect(map.locations());
    expect(all.map((location) => location.id)).toEqual(made.map((location) => location.id));
    expect(all[0]).toMatchObject({
      name: 'Place 0',
      version: 1,
      externalId: null,
      geocoding: {
        provider: 'fake',
        precision: 'rooftop',
        label: expect.any(String),
        isAmbiguous: false,
        isChecked: false,
      },
    });
    const reverse = await collect(map.locations({ orderBy: { by: 'list', direction: 'desc' } }));
    expect(reverse.map(({ name }) => name)).toEqual(all.map(({ name }) => name).toReversed());
    const requests: string[] = [];
    const counting = createClient({
      url: `${url}/graphql`,
      token: () => Promise.resolve(token),
      fetch: (input, init) => {
        requests.push(init?.body as string);
        return fetch(input, init);
      },
    });
    for await (const { name } of counting.map(id).locations()) if (name === 'Place 100') break;
    expect(requests).toHaveLength(2);
    expect((await map.find({ search: 'Place 24' })).map(({ name }) => name)).toEqual(
      ['24', ...Array.from({ length: 10 }, (_, digit) => `24${digit}`)].map((number) => `Place ${number}`),
    );
  });

  it('creates, updates, moves and deletes, and returns the locations', async () => {
    const map = client.map((await makeMap(server)).id);
    const first = await map.create({ fields: { Name: 'First', Address: 'A' }, externalId: 'one' });
    const second = await map.create({
      fields: { Name: 'Second', Address: 'B' },
      position: { latitude: 1, longitude: 2 },
    });
    expect([first.externalId, second.latitude, second.longitude]).toEqual(['one', 1, 2]);
    const updated = await map.update(first.id, { fields: { Name: 'Other' } });
    expect([updated.id, updated.name, updated.version]).toEqual([first.id, 'Other', 2]);
    expect((await map.move([second.id], { toStart: true })).map(({ id }) => id)).toEqual([second.id]);
    expect((await collect(map.locations())).map(({ name }) => name)).toEqual(['Second', 'Other']);
    expect((await map.delete(second.id)).name).toBe('Second');
    expect(await codeOf(map.delete(second.id))).toBe('LOCATION_NOT_FOUND');
    expect(await codeOf(map.update(first.id, { ifVersion: 1, order: '3' }))).toBe('CONFLICT');
    await map.update(first.id, { ifVersion: 1, order: '3' }).catch((error: MapLocationsError) => {
      expect(error.extensions).toMatchObject({ currentVersion: 2 });
    });
  });

  it('fails with the service’s codes, and with NETWORK_ERROR without a response from the service', async () => {
    const wrong = createClient({ url, token: 'wrong' });
    const error: MapLocationsError = await wrong
      .map('0123456789abcdef')
      .create({ fields: {} })
      .then(
        () => Promise.reject(new Error('It was created.')),
        (thrown: MapLocationsError) => thrown,
      );
    expect([error.code, error.status]).toEqual(['UNAUTHENTICATED', 401]);
    expect(await codeOf(client.map('0123456789abcdef').find({}))).toBe('MAP_NOT_FOUND');
    await expect(createClient({ url: 'http://127.0.0.1:1' }).map('m').update('l', {})).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      message: 'No response from http://127.0.0.1:1/graphql.',
    });
    const proxy = createServer((_request, response) => response.writeHead(502).end('<html>'));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await expect(createClient({ url: address }).map('m').update('l', {})).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      status: 502,
      message: `${address}/graphql responded with status 502 and without a GraphQL result.`,
    });
    proxy.close();
  });

  it('accepts the URL of the service or of its /graphql, and names an invalid one', async () => {
    const { id } = await makeMap(server);
    for (const address of [url, `${url}/`, `${url}/graphql`, `${url}/graphql/`]) {
      expect(await createClient({ url: address, token }).map(id).find({})).toEqual([]);
    }
    for (const address of ['localhost:4000', '/graphql', '', 'ftp://maps.example.org', undefined as never]) {
      expect(() => createClient({ url: address })).toThrow(
        expect.objectContaining({
          code: 'BAD_USER_INPUT',
          message: `url is ${JSON.stringify(address)}; it must be an http or https URL such as "https://maps.example.org".`,
        }),
      );
    }
    // In a page, the URL may be a path on its own server.
    Object.assign(globalThis, { location: { href: `${url}/some/page?q=1` } });
    try {
      expect(await createClient({ url: '/', token }).map(id).find({})).toEqual([]);
    } finally {
      Object.assign(globalThis, { location: undefined });
    }
  });

  it('creates once if the response is lost, with the same key', async () => {
    const { id } = await makeMap(server);
    const keys: unknown[] = [];
    let losses = 2;
    const losing = createClient({
      url,
      token,
      async fetch(input, init) {
        keys.push(JSON.parse(init?.body as string).variables.input.idempotencyKey);
        const response = await fetch(input, init);
        if (losses === 0) return response;
        losses -= 1;
        throw new TypeError('The connection was cut.');
      },
    });
    const created = await losing.map(id).create({ fields: { Name: 'Once', Address: 'A' } });
    expect(keys).toHaveLength(3);
    expect([new Set(keys).size, String(keys[0]).length > 15]).toEqual([1, true]);
    expect((await client.map(id).find({})).map((location) => location.id)).toEqual([created.id]);
    losses = 1;
    keys.length = 0;
    expect(await codeOf(losing.map(id).update(created.id, { order: '5' }))).toBe('NETWORK_ERROR');
    expect(keys).toHaveLength(1);
  });

  it('rejects with the reason of an aborted signal, of the call or the client', async () => {
    const { id } = await makeMap(server);
    const reason = new Error('No longer wanted.');
    const ended = AbortSignal.abort(reason);
    await expect(createClient({ url, token, signal: ended }).map(id).find({})).rejects.toBe(reason);
    await expect(collect(client.map(id).locations({ signal: ended }))).rejects.toBe(reason);
    const leaving = new AbortController();
    const changes = client.map(id).subscribe({ signal: leaving.signal });
    await take(changes, 1);
    const next = changes.next();
    leaving.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  it('follows changes, and ends when the map is deleted', async () => {
    const { id } = await makeMap(server);
    const map = client.map(id);
    const changes = map.subscribe();
    expect(await take(changes, 1)).toMatchObject([{ kind: 'resync', locationId: null, location: null }]);
    const location = await map.create({ fields: { Name: 'New', Address: 'A' } });
    expect(await take(changes, 1)).toMatchObject([
      { kind: 'created', locationId: location.id, location: { name: 'New' } },
    ]);
    await map.delete(location.id);
    expect(await take(changes, 1)).toMatchObject([
      { kind: 'deleted', locationId: location.id, location: null },
    ]);
    // These are line terminators in JavaScript, but not in server-sent events.
    const name = 'A\u2028B\u2029C\u0085D';
    await map.create({ fields: { Name: name, Address: 'A' } });
    expect(await take(changes, 1)).toMatchObject([{ kind: 'created', location: { name } }]);
    await deleteMap(server, id);
    expect(await codeOf(changes.next())).toBe('MAP_DELETED');
    expect(await codeOf(createClient({ url, token: 'wrong' }).map(id).subscribe().next())).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('resumes after its last cursor if the stream is cut, and loses nothing', async () => {
    const { id } = await makeMap(server);
    const cuts: AbortController[] = [];
    const cutting = createClient({
      url,
      token,
      fetch(input, init) {
        const cut = new AbortController();
        cuts.push(cut);
        return fetch(input, {
          ...init,
          signal: AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]),
        });
      },
    });
    const changes = cutting.map(id).subscribe();
    await take(changes, 1);
    const made = await makeLocations(server, id, [null, null]);
    const received = await take(changes, 2);
    cuts.at(-1)?.abort();
    made.push(...(await makeLocations(server, id, [null, null])));
    received.push(...(await take(changes, 2)));
    expect(received.map(({ locationId }) => locationId)).toEqual(made.map((location) => location.id));
    expect(cuts).toHaveLength(2);
    await changes.return();
    const since = received[0]?.cursor;
    const again = client.map(id).subscribe({ since });
    expect((await take(again, 3)).map(({ locationId }) => locationId)).toEqual(
      made.slice(1).map((location) => location.id),
    );
    await again.return();
  });

  it('resumes if the stream is cut before its first event', async () => {
    const { id } = await makeMap(server);
    const first = client.map(id).subscribe();
    const [{ cursor: since }] = (await take(first, 1)) as [LocationChange];
    await first.return();
    let opened = 0;
    const cutting = createClient({
      url,
      token,
      async fetch(input, init) {
        opened += 1;
        const response = await fetch(input, init);
        if (opened > 1) return response;
        await response.body?.cancel();
        return new Response(new ReadableStream({ start: (stream) => stream.close() }), response);
      },
    });
    const changes = cutting.map(id).subscribe({ since });
    const received = take(changes, 1);
    const [made] = await makeLocations(server, id, [null]);
    expect((await received)[0]?.locationId).toBe(made?.id);
    expect(opened).toBe(2);
    await changes.return();
  });
});
