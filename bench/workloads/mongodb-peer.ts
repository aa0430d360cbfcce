/** The peer's collections: the same tokens, maps and locations, stored natively. */

import { createHash, randomUUID } from 'node:crypto';

import type { Collection } from 'mongodb';
import { MongoClient } from 'mongodb';

import { fieldsOf } from '../harness/locations.ts';
import { queryGraphql } from '../harness/request.ts';
import type { FilledStore } from '../harness/filled-store.ts';
import type { Subject } from '../harness/subject.ts';
import type { Writer, WrittenMaps } from '../harness/writer.ts';
import { changeInTurn } from '../harness/writer.ts';
import { encodeOrder } from '../subjects/order-key.ts';

const OWNER = 'owner';

interface Page {
  readonly map: {
    readonly locations: {
      readonly nodes: readonly {
        readonly id: string;
        readonly order: string;
        readonly createdAt: string;
        readonly geocoding: { readonly provider: string; readonly precision: string };
      }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
}

const PAGE = `query ($id: ID!, $after: String) {
  map(id: $id) {
    locations(first: 100, after: $after) {
      nodes {
        id name placeId latitude longitude properties order createdAt geocoding { provider precision }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

interface Id {
  readonly _id: string;
}

/** Copies our store through our API. */
export async function fillPeer(url: string, ours: Subject, store: FilledStore): Promise<void> {
  const client = new MongoClient(url);
  try {
    const database = client.db();
    const hash = createHash('sha256').update(store.readToken).digest('hex');
    await database
      .collection<Id & object>('tokens')
      .insertOne({ _id: hash, ownerId: OWNER, mapId: null, expiresAt: null, revokedAt: null } as Id);
    await database
      .collection<Id & object>('maps')
      .insertMany(store.mapIds.map((id) => ({ _id: id, ownerId: OWNER, isDeleted: false })));
    const locations = database.collection<Id & object>('locations');
    await locations.createIndex({ mapId: 1, orderKey: 1, sequence: 1 });
    for (const mapId of store.mapIds) await copyMap(locations, ours, store.readToken, mapId);
  } finally {
    await client.close();
  }
}

async function copyMap(
  locations: Collection<Id>,
  ours: Subject,
  token: string,
  mapId: string,
): Promise<void> {
  let after: string | null = null;
  let sequence = 0;
  for (;;) {
    const data: Page = await queryGraphql<Page>(ours.origin, token, PAGE, { id: mapId, after });
    const { nodes, pageInfo } = data.map.locations;
    await locations.insertMany(
      nodes.map(({ id, createdAt, geocoding, ...rest }) => {
        sequence += 1;
        const orderKey = encodeOrder(rest.order);
        return { _id: id, mapId, orderKey, sequence, createdAt: new Date(createdAt), ...rest, ...geocoding };
      }),
    );
    if (!pageInfo.hasNextPage) return;
    after = pageInfo.endCursor;
  }
}

/** Makes the changes of writer.ts to the peer's maps. */
export async function changePeer(url: string, maps: Pick<WrittenMaps, 'mapIds' | 'size'>): Promise<Writer> {
  const client = await new MongoClient(url).connect();
  const locations = client.db().collection<Id & object>('locations');
  let sequence = maps.size;
  const changes = changeInTurn(maps, {
    create: async (mapId, order) => {
      const id = `${mapId}_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
      sequence += 1;
      const point = { placeId: 'point:51.5,-0.12', latitude: 51.5, longitude: -0.12 };
      const properties = fieldsOf(1);
      const orderKey = encodeOrder(order);
      const name = properties.Name ?? '';
      await locations.insertOne({
        _id: id,
        mapId,
        order,
        orderKey,
        sequence,
        name,
        ...point,
        properties,
      } as Id);
      return id;
    },
    remove: async (_mapId, id) => void (await locations.deleteOne({ _id: id })),
  });
  return {
    async stop() {
      try {
        await changes.stop();
      } finally {
        await client.close();
      }
    },
  };
}
