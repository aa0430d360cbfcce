/** Lists of other upstream implementations: with or without links, with or without orders. */

import type { GatewayEndpoints } from '../support/gateway.ts';
import { openGatewayEndpoints } from '../support/gateway.ts';
import type { MinimalLocation, MinimalUpstream, Variant } from '../support/minimal-upstream.ts';
import { MAP_ID, numbered, startMinimalUpstream, TOKEN } from '../support/minimal-upstream.ts';

interface Deployment {
  readonly upstream: MinimalUpstream;
  readonly gateway: GatewayEndpoints;
}

async function withDeployment(
  variant: Variant,
  locations: readonly MinimalLocation[],
  work: (deployment: Deployment) => Promise<void>,
): Promise<void> {
  const upstream = await startMinimalUpstream(variant);
  upstream.locations.push(...locations);
  const gateway = await openGatewayEndpoints(upstream.url, { token: TOKEN, executesOnce: true });
  try {
    await work({ upstream, gateway });
  } finally {
    await gateway.close();
    await upstream.close();
  }
}

interface Page {
  readonly ids: string[];
  readonly cursors: string[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

async function read({ gateway }: Deployment, first: number, after: string | null = null): Promise<Page> {
  const { json } = await gateway.graphql(
    `query ($id: ID!, $first: Int, $after: String) { map(id: $id) { locations(first: $first, after: $after) {
      edges { cursor node { id } } pageInfo { hasNextPage endCursor } } } }`,
    { id: MAP_ID, first, after },
  );
  const [error] = (json.errors ?? []) as { message: string; extensions: { code: string } }[];
  const { edges = [], pageInfo = { hasNextPage: false, endCursor: null } } = json.data?.map?.locations ?? {};
  return {
    ids: edges.map(({ node }: { node: { id: string } }) => node.id),
    cursors: edges.map(({ cursor }: { cursor: string }) => cursor),
    ...pageInfo,
    error: error === undefined ? null : { code: error.extensions.code, message: error.message },
  };
}

/** All pages to the last one. */
async function walk(deployment: Deployment, first: number): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page: Page = await read(deployment, first, after);
    expect(page.error).toBeNull();
    pages.push(page.ids);
    after = page.hasNextPage ? page.endCursor : null;
  } while (after !== null && pages.length < 300);
  return pages;
}

async function walkV0({ gateway }: Deployment, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let path: string | undefined = `/v0/map/${encodeURIComponent(MAP_ID)}/locations?limit=${limit}`;
  while (path !== undefined && pages.length < 300) {
    const { app } = gateway;
    const response: Awaited<ReturnType<typeof inject>> = await inject(path);
    expect(response.statusCode).toBe(200);
    pages.push(response.json<{ id: string }[]>().map(({ id }) => id));
    const link = response.headers.link as string | undefined;
    path =
      link === undefined
        ? undefined
        : /^<http:\/\/localhost(?::80)?(\/v0\/[^>]*)>; rel="next"$/.exec(link)?.[1];
    expect(link === undefined).toBe(path === undefined);
    function inject(url: string) {
      return app.inject({ url, headers: { authorization: `Bearer ${TOKEN}` } });
    }
  }
  return pages;
}

const idsOf = (locations: readonly MinimalLocation[]) => locations.map(({ id }) => id);
const sizesOf = (pages: readonly string[][]) => pages.map(({ length }) => length);
const equal = (count: number, order: string, prefix: string) =>
  numbered(count, prefix).map((location) => ({ ...location, order }));

describe('an upstream with its own links', () => {
  const locations = numbered(250);

  it('is paged through by them to the end, with one call per page', () =>
    withDeployment({ link: true }, locations, async (deployment) => {
      const pages = await walk(deployment, 100);
      expect(sizesOf(pages)).toEqual([100, 100, 50]);
      expect(pages.flat()).toEqual(idsOf(locations));
      expect(deployment.gateway.calls.filter(({ verb }) => verb === 'listLocations')).toHaveLength(3);
      // The upstream receives its own parameter again.
      expect(deployment.upstream.received.at(-1)?.url).toMatch(/\?limit=100&place=200$/);
    }));

  it('is paged through at /v0 by links to the gateway', () =>
    withDeployment({ link: true }, locations, async (deployment) => {
      const pages = await walkV0(deployment, 60);
      expect(sizesOf(pages)).toEqual([60, 60, 60, 60, 10]);
      expect(pages.flat()).toEqual(idsOf(locations));
      expect(deployment.gateway.calls).toHaveLength(5);
    }));

  it('has no next page after a full last one', () =>
    withDeployment({ link: true }, locations.slice(0, 100), async (deployment) => {
      expect(sizesOf(await walk(deployment, 100))).toEqual([100]);
      expect(sizesOf(await walk(deployment, 50))).toEqual([50, 50]);
      const { endCursor } = await read(deployment, 100);
      expect(await read(deployment, 100, endCursor)).toMatchObject({
        ids: [],
        hasNextPage: false,
        error: null,
      });
      // Locations added later follow it.
      deployment.upstream.locations.push(...numbered(3, 'later'));
      expect((await read(deployment, 100, endCursor)).ids).toEqual(['later0', 'later1', 'later2']);
    }));

  it('continues from a cursor within a page, also if its location was deleted', () =>
    withDeployment({ link: true }, locations, async (deployment) => {
      const { cursors } = await read(deployment, 100);
      const [, , third = null] = cursors;
      expect((await read(deployment, 4, third)).ids).toEqual(['l3', 'l4', 'l5', 'l6']);
      expect((await read(deployment, 100, cursors[59] ?? null)).ids).toEqual(idsOf(locations.slice(60, 160)));
      deployment.upstream.locations.splice(2, 1);
      expect((await read(deployment, 4, third)).ids).toEqual(['l3', 'l4', 'l5', 'l6']);
    }));
});

describe('an upstream without links that shows orders', () => {
  const locations = numbered(250);

  it('is paged through by the order of each page’s last location', () =>
    withDeployment({ showsOrder: true }, locations, async (deployment) => {
      const pages = await walk(deployment, 100);
      expect(sizesOf(pages)).toEqual([100, 100, 50]);
      expect(pages.flat()).toEqual(idsOf(locations));
      expect((await walkV0(deployment, 40)).flat()).toEqual(idsOf(locations));
    }));

  it('visits each location once if many share an order', () => {
    const shared = [...numbered(3), ...equal(30, '4', 'same'), ...equal(4, '5', 'after')];
    return withDeployment({ showsOrder: true }, shared, async (deployment) => {
      for (const first of [1, 2, 7, 40])
        expect((await walk(deployment, first)).flat()).toEqual(idsOf(shared));
      for (const limit of [1, 7]) expect((await walkV0(deployment, limit)).flat()).toEqual(idsOf(shared));
    });
  });

  it('ends with an error instead of a loop if a full page shares one order', () =>
    withDeployment({ showsOrder: true }, equal(150, '4', 'same'), async (deployment) => {
      const first = await read(deployment, 100);
      expect(first.error?.code).toBe('BAD_USER_INPUT');
      const { json } = await deployment.gateway.graphql(
        `query ($id: ID!) { map(id: $id) { locations { edges { cursor } } } }`,
        { id: MAP_ID },
      );
      const end = json.data.map.locations.edges.at(-1).cursor as string;
      expect((await read(deployment, 100, end)).error).toEqual({
        code: 'BAD_USER_INPUT',
        message: expect.stringMatching(/have the same order/),
      });
      const { statusCode } = await deployment.gateway.app.inject({
        url: `/v0/map/${encodeURIComponent(MAP_ID)}/locations`,
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      expect(statusCode).toBe(400);
    }));
});

describe('an upstream with neither links nor orders', () => {
  it('has one page; a page after a full one is BAD_USER_INPUT', () =>
    withDeployment({}, numbered(150), async (deployment) => {
      for (const first of [100, 2]) {
        const page = await read(deployment, first);
        expect([page.ids.length, page.hasNextPage, page.error]).toEqual([first, true, null]);
        const next = await read(deployment, first, page.endCursor);
        expect(next.error).toEqual({
          code: 'BAD_USER_INPUT',
          message: expect.stringMatching(/neither a Link/),
        });
      }
      expect(sizesOf(await walkV0(deployment, 100))).toEqual([100]);
    }));

  it('is complete if it fits', () =>
    withDeployment({}, numbered(7), async (deployment) => {
      expect(sizesOf(await walk(deployment, 10))).toEqual([7]);
      expect(sizesOf(await walk(deployment, 7))).toEqual([7]);
    }));
});

it('accepts a location alone or in a list, and a map with only its name', async () => {
  for (const single of [true, false]) {
    await withDeployment({ single }, numbered(2), async ({ gateway }) => {
      const { json } = await gateway.graphql(
        `query ($id: ID!) { location(mapId: $id, id: "l1") { name latitude map { name isDeleted isPublished createdAt fields { name } } } }`,
        { id: MAP_ID },
      );
      expect(json).toEqual({
        data: {
          location: {
            name: 'Location 1',
            latitude: 1.5,
            map: { name: 'Theirs', isDeleted: null, isPublished: null, createdAt: null, fields: [] },
          },
        },
      });
      const { json: deleted } = await gateway.graphql(
        `mutation ($id: ID!) { deleteLocation(input: {mapId: $id, id: "l1"}) { deletedId map { name } } }`,
        { id: MAP_ID },
      );
      expect(deleted.data.deleteLocation).toEqual({ deletedId: 'l1', map: { name: 'Theirs' } });
    });
  }
});
