/** Identifiers, and what they encode. */

import fc from 'fast-check';

import {
  firstHistoryId,
  isHistoryId,
  isLocationIdOf,
  isMapId,
  newHistoryId,
  newLocationId,
  newMapId,
  newOwnerId,
  newTokenId,
  parseNodeId,
  timeOfHistoryId,
} from '../../src/domain/ids.ts';
import { propertyRuns } from '../support/scope.ts';

const mapId = newMapId();
const locationId = newLocationId(mapId);

describe('identifiers', () => {
  it('are safe in a URL', () => {
    for (const id of [mapId, locationId, newOwnerId(), newTokenId()]) {
      expect(id).toMatch(/^[0-9a-z_]+$/);
      expect(encodeURIComponent(id)).toBe(id);
    }
  });

  it('do not repeat', () => {
    const makers = [newMapId, newOwnerId, newTokenId, () => newLocationId(mapId), () => newHistoryId(1)];
    for (const make of makers) expect(new Set(Array.from({ length: 5000 }, make)).size).toBe(5000);
  });

  it('use every letter of their alphabet', () => {
    const letters = new Set(Array.from({ length: 200 }, newMapId).join(''));
    expect(letters.size).toBe(32);
  });

  it('of locations begin with the id of their map', () => {
    expect(locationId.startsWith(`${mapId}_`)).toBe(true);
    expect(isLocationIdOf(mapId, locationId)).toBe(true);
    expect(isLocationIdOf(newMapId(), locationId)).toBe(false);
  });

  it('show whether they name a map or a location', () => {
    expect(parseNodeId(mapId)).toEqual({ kind: 'map', mapId });
    expect(parseNodeId(locationId)).toEqual({ kind: 'location', mapId, locationId });
    expect([isMapId(mapId), isMapId(locationId), isLocationIdOf(mapId, mapId)]).toEqual([true, false, false]);
  });

  it('of history have their time, and sort by it', () => {
    const times = [0, 1, 31, 32, 1_000, Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + 1, Date.UTC(9999, 0, 1)];
    const ids = times.map(newHistoryId);
    expect(ids.every(isHistoryId)).toBe(true);
    expect(ids.map(timeOfHistoryId)).toEqual(times);
    expect(ids.toSorted()).toEqual(ids);
    for (const [index, time] of times.entries()) {
      expect(firstHistoryId(time) < ids[index]!).toBe(true);
      expect(index === 0 || firstHistoryId(time) > ids[index - 1]!).toBe(true);
    }
  });

  it('of history made in one millisecond sort by creation', () => {
    const ids = Array.from({ length: 1_000 }, () => newHistoryId(1_000));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('of owners and tokens name neither', () => {
    for (const id of [newOwnerId(), newTokenId()]) expect(parseNodeId(id)).toBeNull();
  });

  it('that are malformed name neither a map nor a location', () => {
    const altered = [mapId, locationId].flatMap((id) => [
      ...[
        `${id}\n`,
        ` ${id}`,
        `${id}0`,
        id.slice(1),
        id.toUpperCase() + 'A',
        `${id}_`,
        `${id.slice(0, -1)}u`,
      ],
      ...[`${id.slice(0, -1)}é`, `${id.slice(0, -1)}%`, `${id.slice(0, -1)}\0`],
    ]);
    const odd = [
      '',
      '_',
      '__proto__',
      `${mapId}_${mapId}`,
      `${mapId}__${'0'.repeat(12)}`,
      'x'.repeat(100_000),
    ];
    for (const id of [...altered, ...odd]) {
      expect([id, parseNodeId(id), isMapId(id), isLocationIdOf(mapId, id)]).toEqual([id, null, false, false]);
    }
  });

  it('can be parsed from any text without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-z]{16}(_[0-9a-z]{12})?$/)), (id) => {
        const node = parseNodeId(id);
        expect(node?.kind === 'map').toBe(isMapId(id));
        if (node?.kind === 'location') expect(isLocationIdOf(node.mapId, id)).toBe(true);
        if (node !== null) expect(id).not.toMatch(/[ilou]/);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});
