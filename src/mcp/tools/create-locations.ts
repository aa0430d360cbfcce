import * as z from 'zod';

import { idempotencyKeyArgument, mapIdArgument, positionArgument } from '../arguments.ts';
import { shortenText } from '../result-size.ts';
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

/** So that the results of one call stay short. */
const MAX_LOCATIONS = 100;
const MAX_ERROR_CHARACTERS = 280;

const CREATE = operationOf(`
  mutation create_locations($mapId: ID!, $locations: [CreateLocationsItemInput!]!, $idempotencyKey: String) {
    createLocations(input: { mapId: $mapId, locations: $locations, idempotencyKey: $idempotencyKey }) {
      results {
        location { id latitude longitude geocoding { precision } }
        error { code message }
      }
    }
  }
`);

interface Created {
  readonly createLocations: {
    readonly results: readonly {
      readonly location: {
        readonly id: string;
        readonly latitude: number;
        readonly longitude: number;
        readonly geocoding: { readonly precision: string };
      } | null;
      readonly error: { readonly code: string; readonly message: string } | null;
    }[];
  };
}

export const createLocations = defineTool({
  name: 'create_locations',
  title: 'Create locations',
  description:
    'Adds locations to the end of a map’s list. Addresses are geocoded unless a position is given. Stores those that are valid, and says why it did not store the others.',
  input: z.strictObject({
    mapId: mapIdArgument,
    locations: z
      .array(
        z.strictObject({
          fields: z
            .record(z.string(), z.unknown())
            .describe('Values by the names of fields, from describe_map; with the name and the address.'),
          position: positionArgument,
          externalId: z.string().optional().describe('Your own id of the location, unique in the map.'),
        }),
      )
      .min(1)
      .max(MAX_LOCATIONS),
    idempotencyKey: idempotencyKeyArgument,
  }),
  output: z.object({
    notice: noticeSchema,
    results: z
      .array(
        z.object({
          id: z.string().nullable().describe('The new location’s id; null if it was not stored.'),
          latitude: z.number().optional(),
          longitude: z.number().optional(),
          precision: z.string().optional().describe('How precisely the point matches the address.'),
          error: z.string().optional().describe('Why it was not stored.'),
        }),
      )
      .describe('One for each location, in the order given.'),
  }),
  annotations: { ...WRITES, destructiveHint: false, openWorldHint: true },
  isAllowed: mayWrite,
  run: (args, session) =>
    withContext(session, async (context) => {
      const { createLocations: created } = await execute<Created>(session, context, CREATE, args);
      const results = created.results.map(({ location, error }) => {
        if (location === null) {
          return {
            id: null,
            error: shortenText(`${error?.code}: ${error?.message}`, MAX_ERROR_CHARACTERS),
          };
        }
        const { id, latitude, longitude, geocoding } = location;
        return { id, latitude, longitude, precision: geocoding.precision };
      });
      return { notice: NOTICE, results };
    }),
});
