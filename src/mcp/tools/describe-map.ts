import * as z from 'zod';

import { mapIdArgument } from '../arguments.ts';
import { mapReader } from '../map-reader.ts';
import { fitRows } from '../result-size.ts';
import { defineTool, NOTICE, noticeSchema, READ_ONLY } from '../tool.ts';

const fieldSchema = z.object({
  name: z.string(),
  type: z.string().describe('What the values mean, such as address, website or openingHours.'),
  isPublic: z.boolean().describe('Whether readers of the published map see the field.'),
});

interface DescribedMap {
  readonly id: string;
  readonly name: string;
  readonly isPublished: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly language: string | null;
  readonly timeZone: string | null;
  readonly fields: readonly z.infer<typeof fieldSchema>[];
  readonly attributions: readonly { readonly text: string; readonly url: string | null }[];
  readonly locations: { readonly totalCount: number };
}

const readMap = mapReader<DescribedMap>(
  'describe_map',
  `id name isPublished createdAt updatedAt language timeZone
  fields { name type isPublic } attributions { text url } locations(first: 1) { totalCount }`,
);

export const describeMap = defineTool({
  name: 'describe_map',
  title: 'Describe a map',
  description: 'Returns the fields that a map’s locations have, their number, and the map’s settings.',
  input: z.strictObject({ mapId: mapIdArgument }),
  output: z.object({
    notice: noticeSchema,
    map: z.object({
      id: z.string(),
      name: z.string(),
      isPublished: z.boolean(),
      createdAt: z.string(),
      updatedAt: z.string(),
      language: z.string().nullable().describe('The language of the map’s page; null for the reader’s.'),
      timeZone: z.string().nullable().describe('The time zone of opening hours; null if unknown.'),
      locationCount: z.int(),
      attributions: z
        .array(z.object({ text: z.string(), url: z.string().nullable() }))
        .describe('Must be shown with the points of the map.'),
      fields: z.array(fieldSchema),
      omittedFields: z
        .int()
        .optional()
        .describe('How many fields are missing: the result would be too long.'),
    }),
  }),
  annotations: READ_ONLY,
  isAllowed: () => true,
  run: async ({ mapId }, session) => {
    const { locations, fields, ...map } = await readMap(session, mapId);
    const described = { ...map, locationCount: locations.totalCount };
    const around = { notice: NOTICE, map: { ...described, fields: [], omittedFields: fields.length } };
    const { values } = fitRows(
      fields.map((value) => ({ value, cursor: '' })),
      around,
      false,
    );
    const omittedFields = fields.length - values.length;
    return {
      notice: NOTICE,
      map: {
        ...described,
        attributions: [...described.attributions],
        fields: values,
        ...(omittedFields > 0 && { omittedFields }),
      },
    };
  },
});
