import * as z from 'zod';

import { mapIdArgument } from '../arguments.ts';
import { shortenText } from '../result-size.ts';
import { defineTool, execute, NOTICE, noticeSchema, operationOf, READ_ONLY, withContext } from '../tool.ts';

const MAX_ADDRESS_LENGTH = 1_000;
const MAX_LABEL_CHARACTERS = 1_000;
const MAX_CANDIDATES = 20;

const candidateSchema = z.object({
  latitude: z.number(),
  longitude: z.number(),
  formattedAddress: z.string().nullable().describe('The address as the geocoder writes it.'),
  precision: z.string().describe('How precisely the point matches the address, from rooftop to region.'),
  provider: z.string().describe('The geocoder.'),
});

const GEOCODE = operationOf(`
  query geocode_address($mapId: ID!, $address: String!) {
    candidates: geocode(mapId: $mapId, address: $address) {
      latitude longitude formattedAddress precision provider
    }
  }
`);

export const geocodeAddress = defineTool({
  name: 'geocode_address',
  title: 'Geocode an address',
  description:
    'Finds the points that an address may mean, best first, as a map’s geocoder does. Stores nothing, but counts for the quota of the map’s geocoding.',
  input: z.strictObject({
    mapId: mapIdArgument,
    address: z.string().max(MAX_ADDRESS_LENGTH).describe('The address on one line, with its country.'),
  }),
  output: z.object({ notice: noticeSchema, candidates: z.array(candidateSchema) }),
  annotations: { ...READ_ONLY, openWorldHint: true },
  isAllowed: ({ caller }) => caller?.scope === 'write',
  run: (args, session) =>
    withContext(session, async (context) => {
      const { candidates } = await execute<{
        readonly candidates: readonly z.infer<typeof candidateSchema>[];
      }>(session, context, GEOCODE, args);
      return {
        notice: NOTICE,
        candidates: candidates.slice(0, MAX_CANDIDATES).map(({ formattedAddress, ...candidate }) => ({
          ...candidate,
          formattedAddress:
            formattedAddress === null ? null : shortenText(formattedAddress, MAX_LABEL_CHARACTERS),
        })),
      };
    }),
});
