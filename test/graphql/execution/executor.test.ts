/** What is compiled and when, and that no document makes the compiler deviate from graphql-js. */

import type { ExecutionResult } from 'graphql';
import { buildSchema, defaultFieldResolver, isScalarType, parse, validate } from 'graphql';

import type { RequestContext } from '../../../src/graphql/context.ts';
import { loadGraphqlJit } from '../../../src/graphql/execution/jit/graphql-jit.ts';
import { Operation } from '../../../src/graphql/execution/operation.ts';
import { describeResult, graphqlJs, jitExecutor } from '../../support/executor-parity.ts';

const schema = buildSchema(`
  scalar Any
  input Tree { name: String, children: [Tree!], any: Any }
  interface Named { name: String }
  type Thing implements Named { name: String, strict: String!, self: Thing, must: Thing!, things: [Thing!] }
  type Query {
    echo(text: String = "default", number: Int! = 7, tree: Tree, any: Any, list: [String]): String
    thing: Thing
    named: Named
    fail(how: String): String
    failStrict(how: String): String!
    number: Int
  }
`);

const thing: Record<string, unknown> = { name: 'N', strict: 'S' };
Object.assign(thing, { self: thing, must: thing, things: [thing, thing] });

const FAILURES: Record<string, () => unknown> = {
  error: () => {
    throw new TypeError('thrown');
  },
  later: () => Promise.reject(new RangeError('rejected')),
  text: () => {
    throw 'a text'; // eslint-disable-line @typescript-eslint/only-throw-error -- the case
  },
  nothing: () => {
    throw undefined; // eslint-disable-line @typescript-eslint/only-throw-error -- the case
  },
  returned: () => new Error('returned'),
  null: () => null,
};

const resolvers: Record<string, (args: Record<string, unknown>) => unknown> = {
  echo: (args) => JSON.stringify(args),
  thing: () => Promise.resolve(thing),
  named: () => ({ ...thing, __typename: 'Thing' }),
  fail: ({ how }) => FAILURES[String(how)]?.(),
  failStrict: ({ how }) => FAILURES[String(how)]?.(),
  number: () => 'no number',
};
for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {})) {
  field.resolve = (_source, args: Record<string, unknown>) => resolvers[name]?.(args);
}
const thingType = schema.getType('Thing');
if (thingType && 'getFields' in thingType) {
  const { self } = thingType.getFields();
  if (self && 'resolve' in self) self.resolve = defaultFieldResolver;
}

const context = {} as RequestContext;
type Variables = Record<string, unknown>;

interface Ran {
  readonly result: ExecutionResult;
  readonly isCompiled: boolean;
}

async function run(source: string, variables: Variables = {}): Promise<Ran> {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  let isCompiled = false;
  const executor = jitExecutor(schema, {
    usesBeforeCompiling: 0,
    onExecution: (compiled) => {
      isCompiled = compiled;
    },
  });
  const result = await executor({ operation: new Operation(document), variables, context });
  const expected = await graphqlJs(schema)({ operation: new Operation(parse(source)), variables, context });
  expect(describeResult(result)).toBe(describeResult(expected));
  return { result, isCompiled };
}

describe('a repeated operation', () => {
  it('is left to graphql-js until graphql-jit is loaded', async () => {
    const seen: boolean[] = [];
    const executor = jitExecutor(schema, {
      usesBeforeCompiling: 0,
      onExecution: (isCompiled) => seen.push(isCompiled),
    });
    const operation = new Operation(parse('{ echo }'));
    const execute = async () => describeResult(await executor({ operation, context }));
    const first = await execute();
    await loadGraphqlJit();
    expect(await execute()).toBe(first);
    expect(seen).toEqual([false, true]);
  });
});

describe('a compiled operation', () => {
  beforeAll(loadGraphqlJit);

  const cases: Record<string, [source: string, variables?: Variables]> = {
    'a missing variable in a literal': [
      'query ($a: String) { echo(tree: { name: $a, children: { name: $a } }) }',
    ],
    'a variable in a literal': [
      'query ($a: String, $b: Any) { echo(tree: { name: $a, any: $b }, list: [$a, "x", null]) }',
      { a: 'A', b: { deep: [null, 1.5] } },
    ],
    'a recursive input': [
      'query ($t: Tree) { echo(tree: $t) }',
      { t: { children: [{ name: 'x', children: { name: 'y' } }] } },
    ],
    'a default that is given null': ['query ($a: String = "d") { echo(text: $a) }', { a: null }],
    'a default that is not given': ['query ($a: Int! = 5) { echo(number: $a) }'],
    'no arguments': ['{ echo }'],
    'keys in the order of the remaining fields': [
      'query ($y: Boolean!, $n: Boolean!) { thing { name @skip(if: $y) strict name ... @include(if: $n) { a: name } } }',
      { y: true, n: false },
    ],
    'one fragment, spread with conditions': [
      'query ($y: Boolean!, $n: Boolean!) { thing { ...F @include(if: $n) ...F @skip(if: $n) self { ...F @skip(if: $y) } } } fragment F on Thing { name }',
      { y: true, n: false },
    ],
    'nothing left': ['{ thing { name @skip(if: true) } named { ... on Thing @skip(if: true) { name } } }'],
    'fields merged': ['{ thing { self { name } } thing { self { strict self { name } } } }'],
    'an interface': [
      '{ named { __typename name ... on Thing { strict ...F } ... on Named { a: name } } } fragment F on Thing { self { name } }',
    ],
    'names of inherited object members': [
      '{ constructor: number toString: echo hasOwnProperty: thing { valueOf: name } }',
    ],
    'refused variables': [
      'query ($a: Int!, $t: [Tree!]) { echo(number: $a) b: echo(tree: { children: $t }) }',
      { a: 'x', t: [1, { nam: 'x' }] },
    ],
    failures: [
      `{ ${Object.keys(FAILURES)
        .map((how) => `${how}: fail(how: "${how}")`)
        .join(' ')} number echo }`,
    ],
  };
  for (const [what, [source, variables]] of Object.entries(cases)) {
    it(`returns what graphql-js does: ${what}`, async () => {
      expect((await run(source, variables)).isCompiled).toBe(true);
    });
  }
  for (const how of Object.keys(FAILURES)) {
    it(`has no data if a non-null field fails: ${how}`, async () => {
      const { result, isCompiled } = await run('query ($how: String) { echo failStrict(how: $how) }', {
        how,
      });
      expect(isCompiled).toBe(true);
      expect(result.data).toBeNull();
    });
  }
  it('names a repeated field once', async () => {
    const { result } = await run('{ failStrict(how: "null") failStrict(how: "null") }');
    expect(result.errors?.[0]?.message).toBe('Cannot return null for non-nullable field Query.failStrict.');
  });
});

describe('a document', () => {
  beforeAll(loadGraphqlJit);

  const magics = [
    '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dglobalThis.reached=1',
    '__MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8',
    '__MAGIC_PLUS_INFINITY__bb201c39_3333_4695_b4ad_7f1722e7aa7a',
    '"+(globalThis.reached=1)+"',
    "'+(globalThis.reached=1)+'",
    '${globalThis.reached=1}',
    '`\u2028\u2029\n*/globalThis.reached=1//',
    '\\',
  ];
  for (const text of magics) {
    it(`does not run as code, whatever its strings:  ${JSON.stringify(text)}`, async () => {
      const literal = JSON.stringify(text);
      const source = `query ($a: String = ${literal}) {
        echo(text: ${literal}, list: [${literal}, $a], any: { key: ${literal}, list: [${literal}] })
      }`;
      const { result, isCompiled } = await run(source);
      expect(isCompiled).toBe(true);
      const { text: echoed, any } = JSON.parse(String(result.data?.echo)) as Record<string, unknown>;
      expect([echoed, any]).toEqual([text, { key: text, list: [text] }]);
      expect(globalThis).not.toHaveProperty('reached');
    });
  }

  const breakerOpen: Record<string, [source: string, variables?: Variables]> = {
    "a key that is an object's prototype": ['{ __proto__: echo thing { __proto__: name } }'],
    introspection: ['{ __schema { queryType { name } } __type(name: "Thing") { name } }'],
    'a refused argument': ['query ($a: Int = 1) { echo(number: $a) }', { a: null }],
    'a refused condition': ['query ($a: Boolean = true) { echo @skip(if: $a) }', { a: null }],
    'more fields than are worth compiling': [`{ thing { ${'self { name } '.repeat(60)} } }`],
    'fragments that multiply': [
      `{ thing { ...F0 } } ${Array.from({ length: 30 }, (_, i) => `fragment F${i} on Thing { ...F${i + 1} ...F${i + 1} }`).join(' ')} fragment F30 on Thing { name @skip(if: true) }`,
    ],
  };
  for (const [what, [source, variables]] of Object.entries(breakerOpen)) {
    it(`is left to graphql-js: ${what}`, async () => {
      expect((await run(source, variables)).isCompiled).toBe(false);
    });
  }

  it('with several operations is executed by name, or rejected as graphql-js does', async () => {
    const operation = new Operation(parse('query A { echo } query B($x: Int!) { echo(number: $x) }'));
    const executor = jitExecutor(schema, { usesBeforeCompiling: 0 });
    for (const operationName of ['A', 'B', 'C', '', null, undefined]) {
      const request = { operation, operationName, variables: { x: 3 }, context };
      const expected = await graphqlJs(schema)(request);
      expect(describeResult(await executor(request))).toBe(describeResult(expected));
    }
  });
});

describe('compiling', () => {
  beforeAll(loadGraphqlJit);

  function watched(usesBeforeCompiling?: number) {
    const seen: boolean[] = [];
    const executor = jitExecutor(schema, {
      usesBeforeCompiling,
      onExecution: (isCompiled) => seen.push(isCompiled),
    });
    return { seen, executor };
  }

  it('starts after ten executions of an operation', async () => {
    const { seen, executor } = watched();
    const operation = new Operation(parse('{ echo }'));
    for (let use = 0; use < 12; use += 1) await executor({ operation, context });
    expect(seen).toEqual([...Array<boolean>(10).fill(false), true, true]);
  });

  it('counts operations separately by name and by the outcome of their conditions', async () => {
    const { seen, executor } = watched(1);
    const operation = new Operation(
      parse('query A($c: Boolean!) { echo @skip(if: $c) thing { name } } query B { echo }'),
    );
    for (const [operationName, c] of [
      ['A', true],
      ['A', false],
      ['B', true],
      ['A', true],
      ['B', false],
    ] as const) {
      await executor({ operation, operationName, variables: { c }, context });
    }
    expect(seen).toEqual([false, false, false, true, true]);
  });

  it('coerces the variables of each request once, compiled or not, valid or not', async () => {
    const any = schema.getType('Any');
    if (!isScalarType(any)) throw new Error('Any is a scalar.');
    const parseValue = any.parseValue.bind(any);
    let coerced = 0;
    any.parseValue = (value) => {
      coerced += 1;
      if (value === 'bad') throw new Error('bad');
      return parseValue(value);
    };
    try {
      const { seen, executor } = watched(1);
      const operation = new Operation(parse('query ($a: Any) { echo(any: $a) }'));
      for (const a of ['good', 'bad', 'good', 'bad'] as const) {
        coerced = 0;
        const { data, errors } = await executor({ operation, variables: { a }, context });
        expect([a, data === undefined, errors?.length, coerced]).toEqual([
          a,
          a === 'bad',
          a === 'bad' ? 1 : undefined,
          1,
        ]);
      }
      expect(seen).toEqual([false, true, true, true]);
    } finally {
      any.parseValue = parseValue;
    }
  });

  it('adds to the weight of the operation', async () => {
    const { executor } = watched(1);
    const operation = new Operation(parse('{ echo thing { name } }'));
    await executor({ operation, context });
    const before = operation.bytes;
    await executor({ operation, context });
    expect(operation.bytes).toBeGreaterThan(before);
  });

  it('compiles only a limited number of forms of one document', async () => {
    const { seen, executor } = watched(1);
    const names = Array.from({ length: 6 }, (_, index) => `c${index}`);
    const conditions = names.map((name) => `${name}: echo @skip(if: $${name})`).join(' ');
    const operation = new Operation(
      parse(
        `query (${names.map((name) => `$${name}: Boolean!`).join(' ')}) { ${conditions} thing { name } }`,
      ),
    );
    const runAll = async () => {
      for (let form = 0; form < 64; form += 1) {
        const variables = Object.fromEntries(names.map((name, bit) => [name, Boolean(form & (1 << bit))]));
        await executor({ operation, variables, context });
      }
    };
    await runAll();
    await runAll();
    expect(seen.filter(Boolean)).toHaveLength(16);
    expect(operation.plain.forms.size).toBe(16);
  });
});
