/** Values that a JSON schema describes, for the keywords that our OpenAPI document uses. */

import fc from 'fast-check';

export interface ReadSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly ReadSchema[];
  readonly properties?: Readonly<Record<string, ReadSchema>>;
  readonly required?: readonly string[];
  readonly items?: ReadSchema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** @param resolve returns the target of a `$ref` */
export function valueOf(schema: ReadSchema, resolve: (ref: string) => ReadSchema): fc.Arbitrary<unknown> {
  const of = (inner: ReadSchema) => valueOf(inner, resolve);
  if (schema.$ref !== undefined) return of(resolve(schema.$ref));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map(of));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((type) => valueOfType(type, schema, of)));
}

function valueOfType(
  type: string,
  schema: ReadSchema,
  of: (inner: ReadSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const { minimum: min = -1_000, maximum: max = 1_000_000, maxLength = 1_000 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
    case 'number':
      return fc.double({ min, max, noNaN: true });
    case 'string': {
      const size = { minLength: schema.minLength ?? 0, maxLength: Math.min(maxLength, 30) };
      const any = fc.string({ ...size, unit: 'grapheme' });
      if (schema.pattern === undefined) return any;
      return fc.oneof(
        any.filter((text) => new RegExp(schema.pattern ?? '', 'u').test(text)),
        fc.stringMatching(new RegExp(schema.pattern)).map((text) => [...text].slice(0, maxLength).join('')),
      );
    }
    case 'array':
      return fc.array(of(schema.items ?? {}), { maxLength: 3 });
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const members = Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, of(inner)]),
      );
      const known = fc.record(members, { requiredKeys: required.filter((name) => name in members) });
      const more = fc.dictionary(
        fc.string({ unit: 'grapheme', maxLength: 8 }),
        fc.jsonValue({ maxDepth: 2 }),
        {
          maxKeys: 4,
        },
      );
      return fc.tuple(more, known).map(([others, own]) => ({ ...others, ...own }));
    }
    default:
      throw new Error(`There is no arbitrary for the type ${type}.`);
  }
}
