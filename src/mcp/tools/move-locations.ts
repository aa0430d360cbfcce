import * as z from 'zod';

import { cutText } from '../../lib/cut-text.ts';
import { idempotencyKeyArgument, locationIdArgument, mapIdArgument } from '../arguments.ts';
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

/** So that the result of one call stays short, also with names of characters that JSON escapes. */
const MAX_LOCATIONS = 100;
const MAX_NAME_LENGTH = 40;

const MOVE = operationOf(`
  mutation move_locations($input: MoveLocationsInput!) {
    moveLocations(input: $input) { locations { id name } }
  }
`);

const movedSchema = z.object({ id: z.string(), name: z.string().describe('Its beginning.') });

export const moveLocations = defineTool({
  name: 'move_locations',
  title: 'Move locations in the list',
  description:
    'Moves locations within their map’s list, next to each other in the order of ids. Give exactly one of before, after, toStart and toEnd.',
  input: z.strictObject({
    mapId: mapIdArgument,
    ids: z
      .array(locationIdArgument)
      .min(1)
      .max(MAX_LOCATIONS)
      .describe('Ids of locations, in their new sequence.'),
    before: locationIdArgument.optional().describe('Id of the location that they come before.'),
    after: locationIdArgument.optional().describe('Id of the location that they come after.'),
    toStart: z.literal(true).optional(),
    toEnd: z.literal(true).optional(),
    idempotencyKey: idempotencyKeyArgument,
  }),
  output: z.object({
    notice: noticeSchema,
    locations: z.array(movedSchema).describe('The locations that were moved, in their new sequence.'),
  }),
  annotations: { ...WRITES, destructiveHint: false, idempotentHint: true },
  isAllowed: mayWrite,
  run: (input, session) =>
    withContext(session, async (context) => {
      const { moveLocations: moved } = await execute<{
        readonly moveLocations: { readonly locations: readonly z.infer<typeof movedSchema>[] };
      }>(session, context, MOVE, { input });
      const locations = moved.locations.map(({ id, name }) => ({ id, name: cutText(name, MAX_NAME_LENGTH) }));
      return { notice: NOTICE, locations };
    }),
});
