import * as z from 'zod';

import { idempotencyKeyArgument, locationIdArgument, mapIdArgument, positionArgument } from '../arguments.ts';
import type { SelectedLocation } from '../location.ts';
import { LOCATION_SELECTION, locationSchema, toLocation } from '../location.ts';
import {
  defineTool,
  execute,
  mayWrite,
  NOTICE,
  noticeSchema,
  operationOf,
  withContext,
  WRITES,
} from '../tool.ts';

/** Of the fields in the result: the caller knows what it has changed. */
const MAX_FIELD_CHARACTERS = 4_000;

const UPDATE = operationOf(`
  mutation update_location($input: UpdateLocationInput!) {
    updateLocation(input: $input) { location { ${LOCATION_SELECTION} } }
  }
`);

export const updateLocation = defineTool({
  name: 'update_location',
  title: 'Change a location',
  description:
    'Changes fields of a location, its point or its external id; what is not given stays. A changed address is geocoded unless a position is given.',
  input: z.strictObject({
    mapId: mapIdArgument,
    id: locationIdArgument,
    fields: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('New values by the names of fields, from describe_map. Null removes a field.'),
    position: positionArgument,
    externalId: z.string().nullable().optional().describe('Your own id; null removes it.'),
    idempotencyKey: idempotencyKeyArgument,
  }),
  output: z.object({ notice: noticeSchema, location: locationSchema }),
  annotations: { ...WRITES, openWorldHint: true },
  isAllowed: mayWrite,
  run: ({ fields = {}, ...args }, session) =>
    withContext(session, async (context) => {
      const values = Object.entries(fields);
      const kept = values.filter(([, value]) => value !== null);
      const unset = values.flatMap(([name, value]) => (value === null ? [name] : []));
      const input = { ...args, fields: Object.fromEntries(kept), unset };
      const { updateLocation: updated } = await execute<{
        readonly updateLocation: { readonly location: SelectedLocation };
      }>(session, context, UPDATE, { input });
      return { notice: NOTICE, location: toLocation(updated.location, MAX_FIELD_CHARACTERS) };
    }),
});
