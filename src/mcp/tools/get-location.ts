import * as z from 'zod';

import { locationIdArgument, mapIdArgument } from '../arguments.ts';
import type { SelectedLocation } from '../location.ts';
import { LOCATION_SELECTION, locationSchema, toLocation } from '../location.ts';
import { mapReader } from '../map-reader.ts';
import { defineTool, NOTICE, noticeSchema, READ_ONLY } from '../tool.ts';

/** Of the fields; the rest of the result is shorter than what is left of its maximum. */
const MAX_FIELD_CHARACTERS = 24_000;

const readLocation = mapReader<{ readonly location: SelectedLocation }>(
  'get_location',
  `location(id: $id) { ${LOCATION_SELECTION} }`,
  '$id: ID!',
);

export const getLocation = defineTool({
  name: 'get_location',
  title: 'Get a location',
  description: 'Returns one location of a map with all its fields.',
  input: z.strictObject({ mapId: mapIdArgument, id: locationIdArgument }),
  output: z.object({ notice: noticeSchema, location: locationSchema }),
  annotations: READ_ONLY,
  isAllowed: () => true,
  run: async ({ mapId, id }, session) => {
    const { location } = await readLocation(session, mapId, { id });
    return { notice: NOTICE, location: toLocation(location, MAX_FIELD_CHARACTERS) };
  },
});
