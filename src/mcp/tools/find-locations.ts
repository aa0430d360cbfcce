import * as z from 'zod';

import {
  cursorArgument,
  limitArgument,
  mapIdArgument,
  nextCursorSchema,
  searchArgument,
} from '../arguments.ts';
import { locationSchema, LOCATION_SELECTION, toLocation } from '../location.ts';
import type { SelectedLocation } from '../location.ts';
import { mapReader } from '../map-reader.ts';
import { fitRows } from '../result-size.ts';
import { defineTool, NOTICE, noticeSchema, READ_ONLY } from '../tool.ts';

/** Of the fields of one location, so that a page holds several. */
const MAX_FIELD_CHARACTERS = 4_000;

const readLocations = mapReader<{
  readonly locations: {
    readonly edges: readonly { readonly cursor: string; readonly node: SelectedLocation }[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
}>(
  'find_locations',
  `locations(first: $limit, after: $cursor, filter: $filter) {
    edges { cursor node { ${LOCATION_SELECTION} } }
    pageInfo { hasNextPage }
  }`,
  '$limit: Int!, $cursor: String, $filter: LocationFilter',
);

export const findLocations = defineTool({
  name: 'find_locations',
  title: 'Find locations',
  description:
    'Lists the locations of a map in its order, or those that match search. Long values are cut; get_location returns them in full.',
  input: z.strictObject({
    mapId: mapIdArgument,
    search: searchArgument('the location’s name or fields'),
    limit: limitArgument,
    cursor: cursorArgument,
  }),
  output: z.object({
    notice: noticeSchema,
    locations: z.array(locationSchema),
    nextCursor: nextCursorSchema,
  }),
  annotations: READ_ONLY,
  isAllowed: () => true,
  run: async ({ mapId, search, limit, cursor }, session) => {
    const filter = search === undefined ? null : { search };
    const { locations } = await readLocations(session, mapId, { limit, cursor, filter });
    const rows = locations.edges.map(({ cursor: after, node }) => ({
      value: toLocation(node, MAX_FIELD_CHARACTERS),
      cursor: after,
    }));
    const around = { notice: NOTICE, locations: [] };
    const { values, nextCursor } = fitRows(rows, around, locations.pageInfo.hasNextPage);
    return { notice: NOTICE, locations: values, nextCursor };
  },
});
