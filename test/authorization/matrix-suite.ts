/**
 * The authorization matrix: every operation of every door, asked by everybody, of everything. What comes of each is in
 * rules.ts.
 */

import type { StoredItem } from '../../src/storage/storage.ts';
import { codesOf } from '../support/graphql.ts';
import type { Ids } from '../support/root-fields.ts';
import type { TestResponse } from '../support/server.ts';
import type { CallerName, Outcome, TargetName } from './rules.ts';
import { CALLERS, expectedOf, isCallers, TARGETS } from './rules.ts';
import type { Operation, Place, World } from './world.ts';
import { createWorld, exportOperations, graphqlOperations, TELLTALE, v0Operations } from './world.ts';

/** One of each kind: the others differ in what the store is never asked. */
const FEW_CALLERS: readonly CallerName[] = [
  'no token',
  'a revoked token',
  "the owner's",
  "the owner's to read this map",
  "another owner's",
  'a JWT to write',
];

const targets = Object.keys(TARGETS) as TargetName[];

export interface MatrixOptions {
  /** Of an empty store. */
  readonly url: string;
  /** Asks for few callers, and does not look through the whole store. */
  readonly isShort: boolean;
}

/** How an answer of each door says what came of it. */
interface Endpoint {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** The status and the code or number of a refusal. */
  readonly refusals: Readonly<Record<Exclude<Outcome, 'OK' | 'NULL'>, string>>;
  /** The status and the codes or number of an answer. */
  readonly signOf: (response: TestResponse) => string;
}

const numberOf = ({ status, json }: TestResponse) => `${status} ${json?.error ?? ''}`;
const V0_REFUSALS = {
  UNAUTHENTICATED: '401 401',
  INVALID_TOKEN: '401 401',
  FORBIDDEN: '403 403',
  WITHOUT_RIGHTS: '403 403',
  MAP_NOT_FOUND: '400 404',
  TOKEN_NOT_FOUND: '400 404',
  MAP_DELETED: '400 410',
};

const DOORS: readonly Endpoint[] = [
  {
    name: 'GraphQL',
    operations: graphqlOperations(),
    refusals: {
      UNAUTHENTICATED: '200 UNAUTHENTICATED',
      INVALID_TOKEN: '401 UNAUTHENTICATED',
      FORBIDDEN: '200 FORBIDDEN',
      WITHOUT_RIGHTS: '403 FORBIDDEN',
      MAP_NOT_FOUND: '200 MAP_NOT_FOUND',
      TOKEN_NOT_FOUND: '200 TOKEN_NOT_FOUND',
      MAP_DELETED: '200 MAP_DELETED',
    },
    signOf: (response) => `${response.status} ${codesOf(response).join(',')}`,
  },
  { name: '/v0', operations: v0Operations(), refusals: V0_REFUSALS, signOf: numberOf },
  {
    name: 'exports',
    operations: exportOperations(),
    refusals: { ...V0_REFUSALS, MAP_NOT_FOUND: '404 404', MAP_DELETED: '410 410' },
    signOf: numberOf,
  },
];

interface Cell {
  readonly caller: CallerName;
  readonly target: TargetName;
  readonly outcome: Outcome;
}

/** Faults of many cells are told at once, so that one look shows where the line was drawn. */
class Faults {
  readonly #found: string[] = [];

  expect({ caller, target }: Cell, what: string, found: unknown, expected: unknown): void {
    const [is, should] = [found, expected].map((value) => JSON.stringify(value));
    if (is !== should) this.#found.push(`${caller}, ${target}: ${what} is ${is} and should be ${should}`);
  }

  assertNone(): void {
    expect(this.#found).toEqual([]);
  }
}

/** An answer without what every answer has of its own, and what the store was asked for it. */
interface Look {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly calls: readonly string[];
}

function withoutIds(text: string, { mapId, locationId, tokenId, webhookId }: Ids): string {
  return [locationId, mapId, tokenId, webhookId].reduce((left, id) => left.replaceAll(id, '<id>'), text);
}

export function authorizationMatrix({ url, isShort }: MatrixOptions): void {
  const callers = isShort ? FEW_CALLERS : (Object.keys(CALLERS) as CallerName[]);
  let world: World;
  const places = {} as Record<TargetName, Place>;
  beforeAll(async () => {
    world = await createWorld(url);
    for (const target of targets) places[target] = await world.makePlace(target);
  });
  afterAll(() => world.close());

  const cellsOf = ({ rule }: Operation): Cell[] =>
    callers.flatMap((caller) =>
      targets.map((target) => ({ caller, target, outcome: expectedOf(rule, caller, target) })),
    );

  const askFor = (operation: Operation, { caller }: Cell, place: Place) =>
    operation.ask(world.server, place.ids, world.tokenOf(caller, place));

  let count = 0;
  afterAll(() => {
    console.log(`${count} cells`);
  });

  describe.each(DOORS)('$name', ({ operations, refusals, signOf }) => {
    describe.each(operations)('$name', (operation) => {
      const cells = cellsOf(operation);

      /** Compares the answer to what the rules say. */
      const judge = async (cell: Cell, place: Place, faults: Faults) => {
        const response = await askFor(operation, cell, place);
        count += 1;
        const isRefused = cell.outcome !== 'OK' && cell.outcome !== 'NULL';
        const sign = isRefused ? refusals[cell.outcome] : '200 ';
        faults.expect(cell, 'the answer', signOf(response), sign);
        if (!isRefused)
          faults.expect(cell, 'what is there', operation.resultOf(response) !== null, cell.outcome === 'OK');
        if (!isRefused || operation.name === 'map with its locations') return;
        faults.expect(cell, 'what it tells', response.text.includes(TELLTALE), false);
      };

      it('is refused as the rules say, changes nothing and geocodes nothing', async () => {
        const faults = new Faults();
        const before = await stored();
        const asked = world.server.geocoder.asked.length;
        for (const cell of cells) {
          if (cell.outcome !== 'OK') await judge(cell, places[cell.target], faults);
        }
        faults.assertNone();
        expect(await stored()).toEqual(before);
        expect(world.server.geocoder.asked).toHaveLength(asked);
      });

      it('is answered as the rules say', async () => {
        const faults = new Faults();
        for (const cell of cells) {
          if (cell.outcome !== 'OK') continue;
          // What a write changes is not asked of again.
          const place = operation.writes ? await world.makePlace(cell.target) : places[cell.target];
          await judge(cell, place, faults);
        }
        faults.assertNone();
      });

      if (isShort) return;

      it("answers of another owner's as of what is not there, by the byte and by the calls of the store", async () => {
        const faults = new Faults();
        const absences = new Map<CallerName, Look>();
        for (const cell of cells) {
          const { caller, target, outcome } = cell;
          if (isCallers(caller, target) || outcome === 'OK' || target === 'unknown') continue;
          const absent = absences.get(caller) ?? (await look(operation, { ...cell, target: 'unknown' }));
          absences.set(caller, absent);
          const found = await look(operation, cell);
          faults.expect(cell, 'the status', found.status, absent.status);
          faults.expect(cell, 'the body', found.text, absent.text);
          faults.expect(cell, 'the headers', found.headers, absent.headers);
          faults.expect(cell, 'the work', found.calls, absent.calls);
        }
        faults.assertNone();
      });
    });
  });

  /** All that is kept, but when tokens were used; nothing in the short form. */
  async function stored(): Promise<StoredItem[]> {
    const items: StoredItem[] = [];
    if (isShort) return items;
    for await (const item of world.store.storage.dump(0)) {
      items.push(item.kind === 'token' ? { ...item, token: { ...item.token, lastUsedAt: null } } : item);
    }
    return items;
  }

  async function look(operation: Operation, cell: Cell): Promise<Look> {
    const place = places[cell.target];
    world.store.forget();
    const response = await askFor(operation, cell, place);
    return {
      status: response.status,
      text: withoutIds(response.text, place.ids),
      headers: { ...response.headers, date: '', 'x-request-id': '' },
      // A timer stores when tokens were used.
      calls: world.store.calls.map(({ method }) => method).filter((method) => method !== 'saveTokenUses'),
    };
  }

  describe('a location of another map', () => {
    // By way of a map that is the caller's, so that only the location can tell.
    const fields = [
      'location',
      'updateLocation',
      'moveLocations',
      'deleteLocation',
      'GET /v0/map/:mapId/location/:locationId',
      'DELETE /v0/map/:mapId/location/:locationId',
    ];
    const operations = DOORS.flatMap((endpoint) => endpoint.operations).filter(({ name }) =>
      fields.includes(name),
    );

    it.each(operations)('is as unknown to $name as one that is not there', async (operation) => {
      expect(operations).toHaveLength(fields.length);
      const { mapId, tokenId, webhookId } = places.own.ids;
      const token = world.tokenOf("the owner's", places.own);
      const before = await stored();
      const looks: {
        readonly code: unknown;
        readonly isFound: boolean;
        readonly status: number;
        readonly text: string;
      }[] = [];
      for (const locationId of [
        `${mapId}_0123456789ab`,
        ...targets.filter((target) => target !== 'own').map((target) => places[target].ids.locationId),
      ]) {
        world.store.forget();
        const response = await operation.ask(world.server, { mapId, tokenId, locationId, webhookId }, token);
        looks.push({
          status: response.status,
          code: response.json.error ?? codesOf(response)[0],
          text: withoutIds(response.text, { mapId, tokenId, locationId, webhookId }),
          isFound: response.text.includes(TELLTALE),
        });
      }
      expect([404, 'LOCATION_NOT_FOUND']).toContain(looks[0]?.code);
      expect(looks).toEqual(looks.map(() => ({ ...looks[0], isFound: false })));
      expect(await stored()).toEqual(before);
    });
  });

  describe('a webhook of another map', () => {
    const fields = ['updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'];
    const operations = graphqlOperations().filter(({ name }) => fields.includes(name));

    it.each(operations)('is as unknown to $name as one that is not there', async (operation) => {
      expect(operations).toHaveLength(fields.length);
      const { ids } = places.own;
      const token = world.tokenOf("the owner's", places.own);
      const before = await stored();
      const looks: string[] = [];
      for (const target of targets.filter((each) => each !== 'own')) {
        const asked = { ...ids, webhookId: places[target].ids.webhookId };
        const response = await operation.ask(world.server, asked, token);
        expect([target, codesOf(response)]).toEqual([target, ['WEBHOOK_NOT_FOUND']]);
        looks.push(withoutIds(response.text, asked));
      }
      expect(new Set(looks).size).toBe(1);
      expect(await stored()).toEqual(before);
    });
  });
}
