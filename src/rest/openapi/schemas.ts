/** The JSON Schemas of what /v0 takes and gives. Limits come from where they are checked. */

import type { FieldLimits } from '../../domain/fields.ts';
import { FIELD_TYPES } from '../../domain/map.ts';
import { MAX_ORDER_LENGTH } from '../../domain/list/order.ts';
import { MAX_PAGE_SIZE } from '../../domain/paging/paging.ts';
import { CONTROL_CHARACTERS } from '../../domain/text.ts';
import { ERRORS } from '../../errors.ts';
import { IDEMPOTENCY_KEY } from '../../services/locations/idempotency.ts';
import type { JsonSchema } from './openapi.ts';

export interface SchemaSettings {
  /** The first word of the name under which a Map gives its provider key. */
  readonly mapProvider: string;
  readonly fieldLimits: FieldLimits;
}

const DECIMAL: JsonSchema = { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' };
const WITHOUT_CONTROL_CHARACTERS = `^[^${CONTROL_CHARACTERS}]*$`;

const ORDER: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_ORDER_LENGTH,
  pattern: WITHOUT_CONTROL_CHARACTERS,
};

export type SchemaName = 'Map' | 'Field' | 'Location' | 'LatLng' | 'NewLocation' | 'Error';

/** The component schemas, by name. */
export function createSchemas({
  mapProvider,
  fieldLimits,
}: SchemaSettings): Readonly<Record<SchemaName, JsonSchema>> {
  return {
    Map: object(
      'A map. An optional property that has no value is left out.',
      {
        id: { type: 'string', minLength: 1, description: 'Identifier of the map.' },
        name: { type: 'string', minLength: 1, description: 'Name of the map.' },
        isDeleted: { type: 'boolean', description: 'Whether the map is deleted.' },
        createdAt: {
          type: 'string',
          format: 'date-time',
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
          description: 'When the map was made: ISO 8601, UTC, with milliseconds.',
        },
        isPublished: { type: 'boolean', description: 'Whether the map is published to the public.' },
        [`${mapProvider}MapApiKey`]: {
          type: 'string',
          description:
            'Key of the maps provider that loads this map. It is a secret: left out where the map has none, and for tokens of the scope `read`.',
        },
        geocodingApiKey: {
          type: 'string',
          description:
            'Key of the maps provider with which addresses of this map are geocoded. It is a secret: left out where the map has none, and for tokens of the scope `read`.',
        },
        fields: {
          type: 'array',
          items: ref('Field'),
          description: "Definitions of the fields of the map's locations.",
        },
      },
      ['id', 'name', 'isDeleted', 'createdAt', 'isPublished', 'fields'],
    ),
    Field: object('The definition of a field of a map.', {
      name: { type: 'string', description: 'Name of the field: the key in `fields` of a location.' },
      type: { type: 'string', enum: FIELD_TYPES, description: 'What the field holds.' },
    }),
    Location: object('A location on a map.', {
      name: { type: 'string', minLength: 1, description: "The value of the map's name field." },
      id: { type: 'string', minLength: 1, description: 'Identifier of the location.' },
      placeId: {
        type: 'string',
        minLength: 1,
        description: "The geocoding provider's own identifier of the place.",
      },
      latLngLiteral: ref('LatLng'),
      properties: {
        type: 'object',
        additionalProperties: true,
        description: 'All fields as they were passed when the location was created.',
      },
    }),
    LatLng: object('Coordinates in degrees (WGS 84), as strings that hold plain decimal numbers.', {
      lat: { ...DECIMAL, description: 'Latitude, from -90 to 90.' },
      lng: { ...DECIMAL, description: 'Longitude, from -180 to 180.' },
    }),
    NewLocation: {
      type: 'object',
      description: 'A location to create. Members beside `fields` and `order` are ignored.',
      properties: {
        fields: {
          type: 'object',
          additionalProperties: true,
          maxProperties: fieldLimits.maxKeys,
          description:
            "All data of the location. The map's name field (its first field of the type `placeName`, else the first called `name`) " +
            'and its address field (the first of the type `address`, else the first called `address`) must be there, as strings that are not blank. ' +
            `At most ${count(fieldLimits.maxKeys)} keys, ${count(fieldLimits.maxBytes)} bytes as JSON, and ${fieldLimits.maxDepth} levels deep with \`fields\` itself. ` +
            'No key and no value may hold a NUL character or a lone surrogate, and every number must be in the range of an IEEE double.',
        },
        order: {
          ...ORDER,
          type: ['string', 'null'],
          description:
            'Where the location stands in the list. A decimal number sorts by its value; any other text sorts after all numbers, by code point. ' +
            'Equal orders are listed in order of creation. Without it the location goes to the end of the list.',
        },
      },
      required: ['fields'],
    },
    Error: object('What every failure answers.', {
      error: {
        type: 'integer',
        format: 'int32',
        description: 'What went wrong, as a number.',
        oneOf: errorNumbers(),
      },
      message: { type: 'string', minLength: 1, description: 'What went wrong, in words for a developer.' },
    }),
  };
}

export function ref(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object of these properties and no others, of which all are required unless some are named. */
export function object(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', description, properties, required, additionalProperties: false };
}

/** Parameters, by name. */
export const PARAMETER_SCHEMAS = {
  id: { type: 'string', minLength: 1 },
  limit: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE },
  offset: {
    type: 'string',
    // An append to the largest order of all makes one more digit.
    anyOf: [ORDER, { type: 'string', pattern: `^[0-9]{${MAX_ORDER_LENGTH + 1}}$` }],
  },
  offsetAfter: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
  idempotencyKey: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
  text: { type: 'string' },
} as const satisfies Record<string, JsonSchema>;

/** Every number once, with the codes that have it. */
function errorNumbers(): readonly JsonSchema[] {
  const numbers = [...new Set(Object.values(ERRORS).map(({ error }) => error))].sort((a, b) => a - b);
  return numbers.map((number) => {
    const codes = Object.entries(ERRORS).filter(([, { error }]) => error === number);
    return {
      const: number,
      title: codes.map(([code]) => code).join(', '),
      description: codes.map(([, { when }]) => when).join('; '),
    };
  });
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
