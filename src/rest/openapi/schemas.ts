/** JSON Schemas of /v0's requests and responses. Limits are imported from the code that checks them. */

import type { FieldLimits } from '../../domain/fields.ts';
import { MAX_ORDER_LENGTH } from '../../domain/list/order.ts';
import { MAX_PAGE_SIZE } from '../../domain/paging/paging.ts';
import { CONTROL_CHARACTERS } from '../../domain/text.ts';
import { ERRORS } from '../../errors.ts';
import { IDEMPOTENCY_KEY } from '../../services/locations/idempotency.ts';
import type { JsonSchema } from './openapi.ts';
import { V0_FIELD_TYPES } from '../field-types.ts';

export interface SchemaSettings {
  /** Prefix of the property that holds a map's provider key. */
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
      'A map. Optional properties without a value are omitted.',
      {
        id: { type: 'string', minLength: 1, description: 'Identifier of the map.' },
        name: { type: 'string', minLength: 1, description: 'Name of the map.' },
        isDeleted: { type: 'boolean', description: 'Whether the map is deleted.' },
        createdAt: {
          type: 'string',
          format: 'date-time',
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
          description: 'When the map was created: ISO 8601, UTC, with milliseconds.',
        },
        isPublished: { type: 'boolean', description: 'Whether the map is published to the public.' },
        [`${mapProvider}MapApiKey`]: {
          type: 'string',
          description:
            'Key of the maps provider that loads this map. A secret: omitted if the map has none, and for tokens of the scope `read`.',
        },
        geocodingApiKey: {
          type: 'string',
          description:
            'Key of the provider that geocodes addresses of this map. A secret: omitted if the map has none, and for tokens of the scope `read`.',
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
      type: { type: 'string', enum: V0_FIELD_TYPES, description: 'Type of its values.' },
    }),
    Location: object('A location on a map.', {
      name: { type: 'string', minLength: 1, description: "The value of the map's name field." },
      id: { type: 'string', minLength: 1, description: 'Identifier of the location.' },
      placeId: {
        type: 'string',
        minLength: 1,
        description: "The geocoding provider's identifier of the place.",
      },
      latLngLiteral: ref('LatLng'),
      properties: {
        type: 'object',
        additionalProperties: true,
        description: 'All fields of the location, as they were passed.',
      },
    }),
    LatLng: object('Coordinates in degrees (WGS 84), as plain decimal numbers in strings.', {
      lat: { ...DECIMAL, description: 'Latitude, from -90 to 90.' },
      lng: { ...DECIMAL, description: 'Longitude, from -180 to 180.' },
    }),
    NewLocation: {
      type: 'object',
      description: 'A location to create. Properties other than `fields` and `order` are ignored.',
      properties: {
        fields: {
          type: 'object',
          additionalProperties: true,
          maxProperties: fieldLimits.maxKeys,
          description:
            "All data of the location. The map's name field (its first field of the type `placeName`, else the first called `name`) " +
            'and its address field (the first of the type `address`, else the first called `address`) are required, as strings that are not blank. ' +
            `At most ${count(fieldLimits.maxKeys)} keys, ${count(fieldLimits.maxBytes)} bytes as JSON, and ${fieldLimits.maxDepth} levels deep with \`fields\` itself. ` +
            'Keys and values must not contain NUL characters or lone surrogates, and numbers must be in the range of an IEEE double.',
        },
        order: {
          ...ORDER,
          type: ['string', 'null'],
          description:
            'Position of the location in the list. Decimal numbers sort by value; any other text sorts after all numbers, by code point. ' +
            'Locations with equal orders are listed by creation. By default the location is appended.',
        },
      },
      required: ['fields'],
    },
    Error: object('The body of every error.', {
      error: {
        type: 'integer',
        format: 'int32',
        description: 'Number of the error.',
        oneOf: errorNumbers(),
      },
      message: { type: 'string', minLength: 1, description: 'Description of the error for a developer.' },
    }),
  };
}

export function ref(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object without other properties. All are required unless some are named. */
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
    // Appending after the largest order adds one digit.
    anyOf: [ORDER, { type: 'string', pattern: `^[0-9]{${MAX_ORDER_LENGTH + 1}}$` }],
  },
  offsetAfter: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
  idempotencyKey: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
  text: { type: 'string' },
} as const satisfies Record<string, JsonSchema>;

/** Each error number with its codes. */
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
