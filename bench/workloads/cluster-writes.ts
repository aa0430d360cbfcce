/** Whether clusters count what was written a moment ago. */

import type { Box, Point } from '../harness/hundred.ts';
import { fieldsOf } from '../harness/locations.ts';
import { askData, askGraphql } from '../harness/request.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import type { Subject } from '../harness/subject.ts';
import { clustersIn } from './graphql-operations.ts';
import { isInCellsOf, viewportAt } from './viewport.ts';

const CREATE =
  'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';
const UPDATE =
  'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { id } } }';
const DELETE = 'mutation ($input: DeleteLocationInput!) { deleteLocation(input: $input) { deletedId } }';

/** Locations in the cells that the box touches, by the clusters' own counts. */
export async function countIn(
  { origin }: Subject,
  { mapId, readToken }: SqliteStore,
  box: Box,
  zoom: number,
): Promise<number> {
  interface Data {
    readonly map: { readonly clusters: readonly { readonly count: number }[] };
  }
  const { map } = await askData<Data>(origin, readToken, clustersIn(mapId, box, zoom));
  return map.clusters.reduce((sum, { count }) => sum + count, 0);
}

export interface Checked {
  /** Number of cluster requests after a write. */
  readonly responses: number;
  readonly right: number;
}

/**
 * At each of the points a location is created, put at the next of them, and deleted. After each write the screens about
 * the two points must count one location more than before where they show it, and as many where they do not.
 */
export async function checkWrites(
  subject: Subject,
  store: SqliteStore,
  points: readonly Point[],
  zooms: readonly number[],
): Promise<Checked> {
  const { mapId, writeToken } = store;
  const write = <T>(mutation: string, input: object) =>
    askGraphql<T>(subject.origin, writeToken, mutation, { input: { mapId, ...input } });
  let responses = 0;
  let right = 0;
  for (const [index, position] of points.entries()) {
    const next = points[(index + 1) % points.length]!;
    const screens = [position, next].flatMap((point) =>
      zooms.map((zoom) => ({ zoom, box: viewportAt(point, zoom) })),
    );
    const counts = () => Promise.all(screens.map(({ box, zoom }) => countIn(subject, store, box, zoom)));
    const before = await counts();
    const compare = async (standsAt: Point | null) => {
      for (const [at, count] of (await counts()).entries()) {
        const { box, zoom } = screens[at]!;
        const isThere = standsAt !== null && isInCellsOf(box, zoom, standsAt);
        responses += 1;
        if (count === before[at]! + (isThere ? 1 : 0)) right += 1;
      }
    };
    type Created = { createLocation: { location: { id: string } } };
    const created = await write<Created>(CREATE, { fields: fieldsOf(1), position });
    const { id } = created.createLocation.location;
    await compare(position);
    await write(UPDATE, { id, position: next });
    await compare(next);
    await write(DELETE, { id });
    await compare(null);
  }
  return { responses, right };
}
