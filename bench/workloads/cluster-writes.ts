/** Checks that clusters count the latest writes. */

import type { Box, Point } from '../harness/search-areas.ts';
import { fieldsOf } from '../harness/locations.ts';
import { queryData, queryGraphql } from '../harness/request.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import type { Subject } from '../harness/subject.ts';
import { clustersIn } from './graphql-operations.ts';
import { isInCellsOf, viewportAt } from './viewport.ts';

const CREATE =
  'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';
const UPDATE =
  'mutation ($input: UpdateLocationInput!) { updateLocation(input: $input) { location { id } } }';
const DELETE = 'mutation ($input: DeleteLocationInput!) { deleteLocation(input: $input) { deletedId } }';

/** Number of locations in the cells that the box touches: the sum of the clusters' counts. */
export async function countIn(
  { origin }: Subject,
  { mapId, readToken }: SqliteStore,
  box: Box,
  zoom: number,
): Promise<number> {
  interface Data {
    readonly map: { readonly clusters: readonly { readonly count: number }[] };
  }
  const { map } = await queryData<Data>(origin, readToken, clustersIn(mapId, box, zoom));
  return map.clusters.reduce((sum, { count }) => sum + count, 0);
}

export interface Checked {
  /** Number of cluster requests after a write. */
  readonly responses: number;
  readonly correct: number;
}

/**
 * Creates a location at each point, moves it to the next point, and deletes it. After each write, the viewports around both
 * points must count one more location than before if they show it, else as many as before.
 */
export async function checkWrites(
  subject: Subject,
  store: SqliteStore,
  points: readonly Point[],
  zooms: readonly number[],
): Promise<Checked> {
  const { mapId, writeToken } = store;
  const write = <T>(mutation: string, input: object) =>
    queryGraphql<T>(subject.origin, writeToken, mutation, { input: { mapId, ...input } });
  let responses = 0;
  let correct = 0;
  for (const [index, position] of points.entries()) {
    const next = points[(index + 1) % points.length]!;
    const viewports = [position, next].flatMap((point) =>
      zooms.map((zoom) => ({ zoom, box: viewportAt(point, zoom) })),
    );
    const counts = () => Promise.all(viewports.map(({ box, zoom }) => countIn(subject, store, box, zoom)));
    const before = await counts();
    const compare = async (expected: Point | null) => {
      for (const [at, count] of (await counts()).entries()) {
        const { box, zoom } = viewports[at]!;
        const isShown = expected !== null && isInCellsOf(box, zoom, expected);
        responses += 1;
        if (count === before[at]! + (isShown ? 1 : 0)) correct += 1;
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
  return { responses, correct };
}
