/**
 * The executor returns what graphql-js does. In addition to these tests, every query that any test sends to a server in
 * its own process is executed by both (test/support/server.ts).
 */

import fc from 'fast-check';
import type { ExecutionResult } from 'graphql';
import { GraphQLError, parse, specifiedRules, validate } from 'graphql';

import { readConfig } from '../../../src/app/config.ts';
import {
  digestOf,
  encodeLocationCursor,
  encodeMapCursor,
  encodeSortValuesCursor,
} from '../../../src/domain/paging/cursor.ts';
import { mapOrder, valuesOf } from '../../../src/domain/filter/map-order.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { StoreApplication } from '../../../src/app/composition/store.ts';
import { openStoreApplication } from '../../../src/app/composition/store.ts';
import { ResponseMemory } from '../../../src/graphql/limits/response-memory.ts';
import { createContext } from '../../../src/graphql/context.ts';
import type { Executor } from '../../../src/graphql/execution/execution.ts';
import { createExecutor } from '../../../src/graphql/execution/executor.ts';
import { loadGraphqlJit } from '../../../src/graphql/execution/jit/graphql-jit.ts';
import { Operation } from '../../../src/graphql/execution/operation.ts';
import { createPrivateSchema, createSchema } from '../../../src/graphql/schema.ts';
import type { Caller } from '../../../src/services/caller.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  describeBoth,
  describeResult,
  graphqlJs,
  isCutShort,
  jitExecutor,
} from '../../support/executor-parity.ts';
import { createFakeGeocoder } from '../../support/fake-geocoder.ts';
import type { ArgumentValues, GeneratedOperation } from '../../support/operation-arbitrary.ts';
import { operationArbitrary } from '../../support/operation-arbitrary.ts';
import { UNKNOWN_LOCATION, UNKNOWN_MAP } from '../../support/root-fields.ts';
import type { StorageCall, StorageProxy } from '../../support/storage-proxy.ts';
import { proxyStorage } from '../../support/storage-proxy.ts';
import { propertyRuns } from '../../support/scope.ts';

const RUNS = propertyRuns(2_000);
const SEED = 20_26;
const MAX_ROWS = 20_000;
const schema = createSchema();

const READS = ['getMaps', 'listMaps', 'countMaps', 'getLocations', 'listLocations'] as const;
const COUNTS = ['hasLocations', 'countLocations'] as const;

const anyTrouble: fc.Arbitrary<Trouble | null> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      method: fc.constantFrom(...READS, ...COUNTS),
      error: fc.constantFrom(
        new ServiceError('STORAGE_UNAVAILABLE', 'The database is unavailable.'),
        new TypeError('an unexpected inside'),
        'not an Error object',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      method: fc.constantFrom(...READS),
      member: fc.constantFrom(
        'name',
        'latitude',
        'createdAt',
        'fields',
        'order',
        'geocoding',
        'isPublished',
        'properties',
      ),
      value: fc.constantFrom(null, undefined, 'garbage', NaN, 1e6, new RangeError('in the record'), []),
    }),
  },
);

/** A fault of a store call. */
interface Trouble {
  readonly method: keyof Storage;
  /** Rejects with this, if set. */
  readonly error?: unknown;
  /** Otherwise every record has this value for the member. */
  readonly member?: string;
  readonly value?: unknown;
}

interface TroubledStorage extends StorageProxy {
  trouble: Trouble | null;
}

function createTroubledStorage(real: Storage): TroubledStorage {
  const isIn = (call: StorageCall, trouble: Trouble | null): trouble is Trouble =>
    trouble?.method === nameOf(call);
  const troubled: TroubledStorage = {
    trouble: null,
    ...proxyStorage(real, {
      before: (call) =>
        isIn(call, troubled.trouble) && 'error' in troubled.trouble
          ? failWith(troubled.trouble.error)
          : undefined,
      after: (call, response) =>
        isIn(call, troubled.trouble) ? distort(response, troubled.trouble) : response,
    }),
  };
  return troubled;
}

/** Pages as JSON count as pages. */
function nameOf({ method }: StorageCall): string {
  return method === 'listLocationsJson' || method === 'findLocationsJson' ? method.slice(0, -4) : method;
}

function distort(response: unknown, trouble: Trouble): unknown {
  if (Array.isArray(response)) return response.map((item) => distort(item, trouble));
  const { member = '', value } = trouble;
  if (typeof response !== 'object' || response === null || !(member in response)) return response;
  return { ...response, [member]: value };
}

async function failWith(error: unknown): Promise<never> {
  throw error;
}

interface Store {
  readonly gateway: StoreApplication;
  readonly troubled: TroubledStorage;
  readonly callers: Readonly<Record<string, Caller | null>>;
  readonly values: ArgumentValues;
}

async function createStore(): Promise<Store> {
  const troubled = createTroubledStorage(await openStorage('sqlite::memory:', { timeoutMs: 1_000 }));
  let now = Date.UTC(2026, 0, 1);
  const gateway = await openStoreApplication(readConfig({ DATABASE_URL: 'sqlite::memory:' }), {
    storage: troubled.storage,
    geocoder: createFakeGeocoder(),
    clock: () => (now += 1_000),
  });
  const { maps, locations, tokens } = gateway.services;
  const callerOf = async (owner: string, scope: 'read' | 'write', mapId: string | null = null) =>
    tokens.authenticate((await tokens.createToken({ owner, scope, mapId, expiresAt: null })).token);

  const write = await callerOf('tester', 'write');
  const foreign = await callerOf('another', 'write');
  const keys = { providerMapApiKey: 'provider-key', geocodingApiKey: 'geocoding-key' };
  const map = await maps.createMap({ caller: write }, { name: 'A map', isPublished: true, ...keys });
  const empty = await maps.createMap({ caller: write }, { name: 'An empty map' });
  const deleted = await maps.createMap({ caller: write }, { name: 'A deleted map' });
  const foreignMap = await maps.createMap({ caller: foreign }, { name: "Another's map" });
  const made: string[] = [];
  for (const [index, mapId] of [map.id, map.id, map.id, deleted.id].entries()) {
    const fields = { Name: `Place ${index}`, Address: `${index} Some Street`, "it's": ['"', '\u2028', null] };
    made.push((await locations.createLocation({ caller: write }, mapId, { fields })).location.id);
  }
  await maps.deleteMap({ caller: write }, deleted.id);

  const all = await gateway.services.locations.listLocations({ caller: write }, map, {
    limit: 3,
    fromEnd: false,
    after: null,
    before: null,
  });
  const byName = { by: 'name', direction: 'asc' } as const;
  const cursors = [
    null,
    'garbage',
    encodeMapCursor(map.ownerId, map),
    encodeSortValuesCursor(
      digestOf('maps', map.ownerId, null, byName),
      valuesOf(mapOrder(byName).sortValuesOf(map)),
    ),
    ...all.items.map((item) => encodeLocationCursor(map.id, item)),
  ];
  const mapIds = [map.id, map.id, map.id, map.id, empty.id, deleted.id, foreignMap.id, UNKNOWN_MAP, ''];
  const locationIds = [...made, UNKNOWN_LOCATION, ''];
  const sizes = [1, 2, 3, 100, 1, 2, 3, 100, null, 1, 2, 3, 0, -1, 101, 2 ** 31, 'two'];
  const callers = {
    write,
    read: await callerOf('tester', 'read'),
    limited: await callerOf('tester', 'read', map.id),
    foreign,
    none: null,
  };
  // Otherwise a timer would, between the two executions of a query.
  await gateway.services.tokens.saveUses();
  return {
    gateway,
    troubled,
    callers,
    values: {
      id: [...mapIds, ...mapIds, ...locationIds, 7, true],
      mapId: mapIds,
      ids: [[map.id, made[0]], locationIds, mapIds, [...mapIds, ...made], [], map.id, [map.id, null]],
      first: sizes,
      last: sizes,
      after: cursors,
      before: cursors,
      MapFilter: [
        null,
        {},
        { search: 'map', isDeleted: null },
        { isDeleted: false },
        { search: '' },
        { x: 1 },
      ],
      MapOrderInput: [null, byName, { by: 'updated', direction: 'desc' }, { by: 'size' }, {}],
    },
  };
}

describe('the executor', () => {
  let store: Store;
  let executions: boolean[] = [];
  const options = {
    usesBeforeCompiling: 0,
    onExecution: (isCompiled: boolean) => executions.push(isCompiled),
  };
  const executor = createExecutor({ schema, privateSchema: createPrivateSchema(schema) }, options);
  const isCompiledShare = () => executions.filter(Boolean).length / executions.length;

  beforeAll(async () => {
    await loadGraphqlJit();
    store = await createStore();
  });
  afterAll(() => store.gateway.close());

  async function response(
    execute: Executor,
    { source, variables }: GeneratedOperation,
    caller = 'write',
    trouble: Trouble | null = null,
  ): Promise<{ result: ExecutionResult; calls: string[] }> {
    const { gateway, troubled, callers } = store;
    troubled.forget();
    troubled.trouble = trouble;
    const context = createContext(
      gateway.services,
      { caller: callers[caller] ?? null },
      { maxRows: MAX_ROWS, maxBytes: Infinity, memory: new ResponseMemory(Infinity) },
    );
    const result = await execute({ operation: new Operation(parse(source)), variables, context });
    troubled.trouble = null;
    return { result, calls: troubled.calls.map(nameOf).sort() };
  }

  /** With one seed every comparison starts with the same operations, whose validation takes half of its time. */
  const validity = new Map<string, boolean>();
  const isValid = (source: string): boolean => {
    const known = validity.get(source);
    if (known !== undefined) return known;
    const isIt = validate(schema, parse(source), specifiedRules, { maxErrors: 1 }).length === 0;
    validity.set(source, isIt);
    return isIt;
  };

  function valid(): fc.Arbitrary<GeneratedOperation> {
    return operationArbitrary(schema, store.values).filter(({ source }) => isValid(source));
  }

  /** Finds an operation with different results. */
  function compare(
    tested: Executor,
    parameters: Pick<fc.Parameters<unknown>, 'numRuns' | 'endOnFailure'>,
    troubles: fc.Arbitrary<Trouble | null> = anyTrouble,
  ): Promise<void> {
    const callers = fc.constantFrom('write', 'write', 'write', 'read', 'limited', 'foreign', 'none');
    return fc.assert(
      fc.asyncProperty(valid(), callers, troubles, async (operation, caller, trouble) => {
        const expected = await response(graphqlJs(schema), operation, caller, trouble);
        const actual = await response(tested, operation, caller, trouble);
        const [wanted, found] = describeBoth(expected.result, actual.result);
        expect(found).toEqual(wanted);
        if (trouble === null && !isCutShort(expected.result))
          expect(expected.calls).toEqual(expect.arrayContaining(actual.calls));
      }),
      { seed: SEED, ...parameters },
    );
  }

  it(`returns what graphql-js does for ${RUNS} random queries, with as many store calls`, async () => {
    executions = [];
    // Pages read as JSON have no records to corrupt.
    const troubles = anyTrouble.filter(
      (trouble) => trouble?.method !== 'listLocations' || trouble.error !== undefined,
    );
    await compare(executor, { numRuns: RUNS }, troubles);
    expect(executions.length).toBeGreaterThanOrEqual(RUNS);
    expect(isCompiledShare()).toBeGreaterThan(0.8);
  });

  it(`does so for ${RUNS} random queries without pages as JSON, whatever garbage records have`, async () => {
    executions = [];
    await compare(jitExecutor(schema, options), { numRuns: RUNS });
    expect(isCompiledShare()).toBeGreaterThan(0.8);
  });

  it('fails this comparison if it loses, changes or moves anything', async () => {
    const breaks: Record<string, (result: ExecutionResult) => ExecutionResult> = {
      'the order of keys': ({ data, errors }) => ({
        errors,
        data: data && Object.fromEntries(Object.entries(data).reverse()),
      }),
      'an error': ({ data, errors }) => ({ data, errors: errors?.slice(1) }),
      'the extensions of errors': ({ data, errors }) => ({
        data,
        errors: errors?.map((error) => new GraphQLError(error.message, { ...error, extensions: {} })),
      }),
      'what was thrown': ({ data, errors }) => ({
        data,
        errors: errors?.map((error) => new GraphQLError(error.message, { ...error, originalError: null })),
      }),
    };
    for (const [what, breakIt] of Object.entries(breaks)) {
      const broken: Executor = async (request) => breakIt(await executor(request));
      const found = compare(broken, { numRuns: 300, endOnFailure: true });
      await expect(found.then(() => what)).rejects.toThrow('Property failed');
    }
  });

  it('changes two stores equally, by sequential mutations', async () => {
    const twins = [await createStore(), await createStore()] as const;
    executions = [];
    for (const { source, variables = {}, caller = 'write' } of mutations()) {
      const results: string[] = [];
      for (const [twin, execute] of [
        [twins[0], graphqlJs(schema)],
        [twins[1], executor],
      ] as const) {
        const { gateway, callers, values } = twin;
        const context = createContext(
          gateway.services,
          { caller: callers[caller] ?? null },
          { maxRows: MAX_ROWS, maxBytes: Infinity, memory: new ResponseMemory(Infinity) },
        );
        const ids = namesOf(values);
        const given = JSON.parse(ids.insert(JSON.stringify(variables))) as Record<string, unknown>;
        const result = await execute({
          operation: new Operation(parse(ids.insert(source))),
          variables: given,
          context,
        });
        results.push(ids.remove(describeResult(result)));
      }
      expect(results[1]).toEqual(results[0]);
    }
    expect(isCompiledShare()).toBeGreaterThan(0.8);
    for (const { gateway } of twins) await gateway.close();
  });
});

/** Replaces ids by their index in the store, and new ids by a placeholder. */
function namesOf({ mapId: maps = [], id: all = [] }: ArgumentValues) {
  const known = [...new Set([...maps, ...all])].filter(
    (id): id is string => typeof id === 'string' && id !== '',
  );
  return {
    insert: (text: string) => text.replace(/#(\d+)/g, (_, index: string) => known[Number(index)] ?? ''),
    remove: (text: string) =>
      text.replace(/[0-9a-z]{16}(?:_[0-9a-z]{12})?/g, (id) =>
        known.includes(id) ? `#${known.indexOf(id)}` : id.includes('_') ? 'new location' : 'new map',
      ),
  };
}

interface MutationCase {
  readonly source: string;
  readonly variables?: Record<string, unknown>;
  readonly caller?: string;
}

/** `#0` is the map with locations, `#1` the empty one, `#2` the deleted one, `#3` another owner's, `#5` a location of the first. */
function mutations(): MutationCase[] {
  const map = 'map { id name isDeleted isPublished createdAt fields { name type } geocodingApiKey }';
  const location = 'location { id name order properties latLngLiteral { lat lng } geocoding { precision } }';
  const create = `mutation ($input: CreateLocationInput!) {
    createLocation(input: $input) { ${location} edge { node { id } } map { locations { totalCount } } }
  }`;
  const update =
    'mutation ($id: ID!, $name: String) { updateMap(input: { id: $id, name: $name }) { map { name } } }';
  const fields = { Name: 'N', Address: 'A' };
  return [
    { source: `mutation { createMap(input: { name: "New" }) { ${map} } }` },
    { source: `mutation { createMap(input: { name: "" }) { ${map} } }` },
    { source: `mutation { createMap(input: { name: "No" }) { ${map} } }`, caller: 'read' },
    { source: `mutation { createMap(input: { name: "No" }) { ${map} } }`, caller: 'none' },
    { source: update, variables: { id: '#0', name: 'Renamed' } },
    // Omitted fields stay unchanged, and null is rejected.
    { source: update, variables: { id: '#0' } },
    { source: update, variables: { id: '#0', name: null } },
    { source: update, variables: { id: '#3', name: 'Not mine' } },
    { source: update, variables: { name: 'No id' } },
    { source: create, variables: { input: { mapId: '#0', fields } } },
    { source: create, variables: { input: { mapId: '#0', fields, order: '1.5' } } },
    {
      source: create,
      variables: { input: { mapId: '#0', fields: { ...fields, __proto: { deep: [null] } } } },
    },
    { source: create, variables: { input: { mapId: '#0', fields: 'none' } } },
    { source: create, variables: { input: { mapId: '#0', fields: { ...fields, Address: 'unknown: x' } } } },
    { source: create, variables: { input: { mapId: '#0', fields: { ...fields, Address: 'bug: x' } } } },
    { source: create, variables: { input: { mapId: '#2', fields } } },
    {
      source: `mutation ($name: JSONObject!, $extra: String) { createLocation(input: {
        mapId: "#0", fields: { Name: $extra, Address: "A", __proto__: { a: "\u2028\\"\`\${1}" }, none: $extra }
      }) { ${location} } again: createLocation(input: { mapId: "#0", fields: $name }) { ${location} } }`,
      variables: { extra: 'Given', name: fields },
    },
    {
      source: `mutation { createLocations(input: { mapId: "#1", locations: [
        { fields: { Name: "1", Address: "A" } }, { fields: { Name: "2", Address: "unknown: x" } }, { fields: {} }
      ] }) { map { name } results { ${location} error { code message } } } }`,
    },
    // Sequentially: later mutations see the effects of earlier ones.
    {
      source: `mutation {
        first: updateMap(input: { id: "#1", name: "First" }) { map { name locations { totalCount } } }
        failing: updateMap(input: { id: "#3", name: "No" }) { map { name } }
        gone: deleteMap(input: { id: "#1" }) { map { name isDeleted locations { totalCount } } }
        late: updateMap(input: { id: "#1", name: "Late" }) { map { name } }
        back: restoreMap(input: { id: "#1" }) { map { name isDeleted locations { nodes { name map { name } } } } }
        last: updateMap(input: { id: "#1", name: "Last" }) { map { ...M ...M @skip(if: true) } }
      } fragment M on Map { __typename name }`,
    },
    { source: 'mutation { deleteLocation(input: { mapId: "#0", id: "#5" }) { deletedId map { name } } }' },
    { source: 'mutation { deleteLocation(input: { mapId: "#0", id: "#5" }) { deletedId map { name } } }' },
    { source: 'mutation { deleteMap(input: { id: "#0" }) { map { name locations { totalCount } } } }' },
  ];
}
