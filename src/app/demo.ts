/** The demo of a first start on an empty store: an owner, a token that is shown once, and a map of museums. */

import { createReadStream } from 'node:fs';

import type { FieldDefinition } from '../domain/map.ts';
import { fileOfPackage } from '../lib/package-files.ts';
import { operatorFor } from '../services/operator.ts';
import { importStream } from '../transfer/import/import-rows.ts';
import type { StoreApplication } from './composition/store.ts';

const OWNER = 'demo';
const MAP_NAME = 'Museums of the world';
const FIELDS: readonly FieldDefinition[] = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
  { name: 'Website', type: 'website' },
  { name: 'Category', type: 'category' },
];
const MUSEUMS = fileOfPackage('examples/museums.csv');

export interface Demo {
  readonly token: string;
  readonly mapId: string;
  readonly mapName: string;
  readonly locations: number;
}

/**
 * @param maxBulk maximum number of locations of one `createLocations`
 * @returns null when the store holds an owner, token or map, or when another process is making the demo
 */
export async function prepareDemo(application: StoreApplication, maxBulk: number): Promise<Demo | null> {
  const { services, storage } = application;
  if (!(await storage.isEmpty())) return null;
  // When several processes start at once, only the one that creates the owner makes the demo.
  const { owner, created } = await services.tokens.findOrCreateOwner(OWNER);
  if (!created) return null;
  const { token } = await services.tokens.createToken({
    owner: OWNER,
    name: 'First start',
    scope: 'write',
    mapId: null,
    expiresAt: null,
  });
  const scope = { caller: operatorFor(owner) };
  const map = await services.maps.createMap(scope, { name: MAP_NAME, fields: FIELDS, isPublished: true });
  await services.demoMap.remember(map.id);
  const { stored } = await importStream(application, scope, map, createReadStream(MUSEUMS), {
    maxBatchSize: maxBulk,
  });
  return { token, mapId: map.id, mapName: MAP_NAME, locations: stored };
}
