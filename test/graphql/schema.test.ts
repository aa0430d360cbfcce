/** The schema as readers and client tools see it. */

import { readFileSync, writeFileSync } from 'node:fs';

import type { GraphQLScalarType, GraphQLSchema } from 'graphql';
import { format, resolveConfig } from 'prettier';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  parseValue,
  printSchema,
  validate,
  validateSchema,
} from 'graphql';

import { ERRORS } from '../../src/errors.ts';
import { FIELD_TYPES } from '../../src/domain/map.ts';
import { privateTypeDefs } from '../../src/graphql/execution/json-pages/private-schema.ts';
import { createSchema, readTypeDefs } from '../../src/graphql/schema.ts';
import { exampleQueries } from '../../src/web/example-queries.ts';

const GOLDEN = new URL('schema.golden.graphql', import.meta.url);
const schema = createSchema();

interface Described {
  readonly coordinate: string;
  readonly description: string | null | undefined;
}

/** All definitions of a schema, by coordinate. */
function definitionsOf(described: GraphQLSchema): Described[] {
  const found: Described[] = [];
  for (const type of Object.values(described.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    found.push({ coordinate: type.name, description: type.description });
    if (isEnumType(type)) {
      for (const { name, description } of type.getValues())
        found.push({ coordinate: `${type.name}.${name}`, description });
    }
    if (isInputObjectType(type)) {
      for (const { name, description } of Object.values(type.getFields()))
        found.push({ coordinate: `${type.name}.${name}`, description });
    }
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const { name, description, args } of Object.values(type.getFields())) {
        found.push({ coordinate: `${type.name}.${name}`, description });
        for (const arg of args)
          found.push({ coordinate: `${type.name}.${name}(${arg.name}:)`, description: arg.description });
      }
    }
  }
  for (const directive of described.getDirectives()) {
    if (!isSpecifiedDirective(directive))
      found.push({ coordinate: `@${directive.name}`, description: directive.description });
  }
  return found;
}

describe('the schema', () => {
  it('is valid, as it is served and as rewritten documents are executed on it', () => {
    // Startup skips this validation.
    for (const sdl of [readTypeDefs(), [...readTypeDefs(), privateTypeDefs(schema)]]) {
      expect(validateSchema(buildSchema(sdl.join('\n')))).toEqual([]);
    }
  });

  it('serializes times as ISO 8601 with milliseconds, and refuses anything but a time', () => {
    const type = schema.getType('DateTime') as GraphQLScalarType;
    expect(type.serialize(1_000)).toBe('1970-01-01T00:00:01.000Z');
    expect(type.serialize(253_402_300_799_999)).toBe('9999-12-31T23:59:59.999Z');
    expect(() => type.serialize('hush')).toThrow();
    expect(() => type.serialize(Number.NaN)).toThrow(RangeError);
    const message = 'An RFC 3339 date and time is required.';
    for (const value of ['hush', 5, null, {}]) expect(() => type.parseValue(value)).toThrow(message);
    expect(() => type.parseLiteral(parseValue('"hush"'))).toThrow(message);
  });

  it('accepts leap seconds', () => {
    const type = schema.getType('DateTime') as GraphQLScalarType;
    const next = new Date('1991-01-01T00:00:00.250Z');
    expect(type.parseValue('1990-12-31T15:59:60.25-08:00')).toEqual(next);
    expect(type.parseLiteral(parseValue('"1990-12-31T23:59:60.25Z"'))).toEqual(next);
    for (const value of ['1990-12-31T23:59:61Z', '1990-02-30T23:59:60Z', '23:59:60Z']) {
      expect(() => type.parseValue(value)).toThrow('An RFC 3339 date and time is required.');
    }
  });

  it('serializes degrees unrounded, and does not repeat invalid ones', () => {
    const type = schema.getType('Latitude') as GraphQLScalarType;
    expect(type.serialize(0.123456789012345)).toBe(0.123456789012345);
    for (const value of [90.5, Number.NaN, '45', null]) {
      expect(() => type.parseValue(value)).toThrow(/^Latitude must be a number of degrees from -90 to 90\.$/);
    }
  });

  it('describes every type, field, argument, enum value and input field, in sentences', () => {
    const definitions = definitionsOf(schema);
    expect(definitions.length).toBeGreaterThan(150);
    const poor = definitions.filter(({ description }) => !/^[A-Z1][\s\S]*[.]$/.test(description ?? ''));
    expect(poor).toEqual([]);
  });

  it('equals the golden file; UPDATE_GOLDEN=1 rewrites it', async () => {
    const style = await resolveConfig(GOLDEN);
    const printed = await format(printSchema(lexicographicSortSchema(schema)), {
      ...style,
      parser: 'graphql',
    });
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, printed);
    expect(printed).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  it('has its own descriptions of scalars, not those of their package', () => {
    expect(schema.getType('DateTime')?.description).toMatch(/ISO 8601 with milliseconds/);
    expect(schema.getType('Latitude')?.description).toMatch(/never rounded/);
  });

  it('lists the field types in the spelling and the order of /v0', () => {
    const type = schema.getType('FieldType');
    expect(isEnumType(type) ? type.getValues().map(({ name }) => name) : []).toEqual([...FIELD_TYPES]);
  });

  it('names every input type after its mutation', () => {
    for (const { name, args } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
      const typeName = name.charAt(0).toUpperCase() + name.slice(1);
      expect(args.map((arg) => `${arg.name}: ${String(arg.type)}`)).toEqual([`input: ${typeName}Input!`]);
    }
  });

  it('has no default page sizes, so that null means absent', () => {
    for (const [type, field] of [
      ['Map', 'locations'],
      ['Viewer', 'maps'],
    ] as const) {
      const owner = schema.getType(type);
      const args = isObjectType(owner) ? (owner.getFields()[field]?.args ?? []) : [];
      expect(args.map((arg) => `${arg.name}: ${String(arg.type)}`)).toEqual(
        expect.arrayContaining(['first: Int', 'after: String', 'last: Int', 'before: String']),
      );
      expect(args.every(({ defaultValue }) => defaultValue === undefined)).toBe(true);
    }
  });

  it('mentions only error codes of the registry', () => {
    const codes = definitionsOf(schema).flatMap(
      ({ description }) => description?.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [],
    );
    expect(codes).toContain('MAP_NOT_FOUND');
    expect(codes.filter((code) => !Object.hasOwn(ERRORS, code))).toEqual([]);
  });

  for (const { query } of exampleQueries) {
    const name = /(?:query|mutation|subscription) (\w+)/.exec(query)?.[1] ?? 'without a name';
    it(`accepts the example query ${name}`, () => {
      expect(validate(schema, parse(query))).toEqual([]);
    });
  }
});
