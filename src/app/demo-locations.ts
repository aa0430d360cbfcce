/** The first start on an empty store makes an owner, a token that is shown once, and a map of museums to look at. */

import { createReadStream } from 'node:fs';

import type { FieldDefinition } from '../domain/map.ts';
import type { Gateway } from './composition/gateway.ts';
import { fileOfPackage } from '../lib/package-files.ts';
import { operatorFor } from '../services/operator.ts';
import { importStream } from '../transfer/import/import-rows.ts';

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
 * @param maxBulk how many locations one `createLocations` takes
 * @returns null when the store already holds an owner, token or map, or when another process is making its demo
 */
export async function prepareDemo(gateway: Gateway, maxBulk: number): Promise<Demo | null> {
  const { services, storage } = gateway;
  if (!(await storage.isEmpty())) return null;
  // When several processes start at once, only the one that makes the owner makes the rest.
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
  const { stored } = await importStream(gateway, scope, map, createReadStream(MUSEUMS), {
    maxBatchSize: maxBulk,
  });
  return { token, mapId: map.id, mapName: MAP_NAME, locations: stored };
}
