/** The schema of a gateway: the full schema, in which fields that /v0 lacks are nullable. */

import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchema, isNonNullType, isObjectType, parse, printSchema, validateSchema } from 'graphql';
import { validate } from 'graphql';

import { createSchema } from '../../src/graphql/schema.ts';
import { createUpstreamSchema } from '../../src/upstream/graphql/schema.ts';
import type { UpstreamService } from '../../src/upstream/services/upstream-service.ts';
import { upstreamQueries } from '../../src/web/upstream-queries.ts';

const schema = createUpstreamSchema({} as UpstreamService);
const full = createSchema();

function fieldsOf(of: GraphQLSchema): ReadonlyMap<string, { type: string; isNonNull: boolean }> {
  const types = Object.values(of.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
  );
  return new Map(
    types.flatMap((type) =>
      Object.values(type.getFields()).map((field) => [
        `${type.name}.${field.name}`,
        { type: String(field.type).replace(/!$/, ''), isNonNull: isNonNullType(field.type) },
      ]),
    ),
  );
}

it('is valid, and its SDL reads back as itself', () => {
  expect(validateSchema(schema)).toEqual([]);
  expect(printSchema(buildSchema(printSchema(schema)))).toBe(printSchema(schema));
});

it('has every field of the full schema, of the same type except for nullability', () => {
  const [own, all] = [fieldsOf(schema), fieldsOf(full)];
  expect([...own.keys()].sort()).toEqual([...all.keys()].sort());
  const nullable = [...all].filter(([name, field]) => {
    expect([name, own.get(name)?.type]).toEqual([name, field.type]);
    return field.isNonNull && own.get(name)?.isNonNull === false;
  });
  const ofMap = [
    'attributions',
    'categories',
    'createdAt',
    'geocodingCounts',
    'isDeleted',
    'isPublished',
    'theme',
    'updatedAt',
    'webhooks',
  ];
  const ofLocation = ['createdAt', 'geocoding', 'order', 'updatedAt', 'version'];
  expect(
    nullable
      .map(([name]) => name)
      .filter((name) => !/^(Query|Mutation|Subscription)\./.test(name))
      .sort(),
  ).toEqual(
    [
      'CreateLocationPayload.edge',
      'Field.isPublic',
      ...ofLocation.map((name) => `Location.${name}`),
      'LocationConnection.totalCount',
      ...ofMap.map((name) => `Map.${name}`),
    ].sort(),
  );
});

it('describes each refused field as not part of /v0', () => {
  const field = schema.getType('Location');
  const description = isObjectType(field) ? field.getFields()['order']?.description : '';
  expect(description).toMatch(/sort key in the map's list[^]*Not part of \/v0/);
});

it('resolves every field of Map and Location: /v0 has it, or it is refused', () => {
  const shown = {
    Map: [
      'id',
      'name',
      'isDeleted',
      'createdAt',
      'isPublished',
      'providerMapApiKey',
      'geocodingApiKey',
      'fields',
    ],
    Location: ['name', 'id', 'placeId', 'latLngLiteral', 'latitude', 'longitude', 'properties'],
  };
  const reached = { Map: ['location', 'locations'], Location: ['map'] };
  for (const name of ['Map', 'Location'] as const) {
    const type = schema.getType(name);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    expect(fields.length).toBeGreaterThan(10);
    for (const field of fields) {
      if (shown[name].includes(field.name) || reached[name].includes(field.name)) continue;
      expect(() => field.resolve?.({}, {}, { scope: { caller: {} } }, {} as never)).toThrow(
        `The upstream does not have ${name}.${field.name}`,
      );
    }
  }
});

it('fits the examples of GraphiQL', () => {
  for (const { query } of upstreamQueries) expect(validate(schema, parse(query))).toEqual([]);
});
