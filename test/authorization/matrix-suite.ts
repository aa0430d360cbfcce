/**
 * The authorization matrix: every operation of every endpoint by every caller on every target. The expected outcomes are in
 * rules.ts.
 */

import type { StoredItem } from '../../src/storage/storage.ts';
import { codesOf } from '../support/graphql.ts';
import type { Ids } from '../support/root-fields.ts';
import type { TestResponse } from '../support/server.ts';
import type { CallerName, CookieUse, Outcome, TargetName } from './rules.ts';
import { CALLERS, expectedOf, isLinkTo, roleOf, TARGETS } from './rules.ts';
import type { Operation, TargetMap, World } from './world.ts';
import { createWorld, exportOperations, graphqlOperations, TELLTALE, v0Operations } from './world.ts';

/** One caller of each kind: the others differ only in ways that never reach the store. */
const FEW_CALLERS: readonly CallerName[] = [
  'no token',
  'a revoked token',
  "the owner's",
  "the owner's to read this map",
  "another owner's",
  'a JWT to write',
  'a session',
  "a viewer's",
  "an editor's session",
  'an edit link of the map',
];

const WEBHOOK_FIELDS = ['updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'] as const;

const targets = Object.keys(TARGETS) as TargetName[];

export interface MatrixOptions {
  /** The URL of an empty store. */
  readonly url: string;
  /** Tests few callers, and does not compare the whole store. */
  readonly isShort: boolean;
}

/** How each endpoint's responses express an outcome. */
interface Endpoint {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly cookies: CookieUse;
  /** The status and the code or number of a refusal. */
  readonly refusals: Readonly<Partial<Record<Exclude<Outcome, 'OK' | 'NULL'>, string>>>;
  /** The status and the codes or number of a response. */
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
  INVITATION_NOT_FOUND: '400 404',
  MAP_DELETED: '400 410',
};

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'GraphQL',
    operations: graphqlOperations(),
    cookies: 'own pages',
    refusals: {
      UNAUTHENTICATED: '200 UNAUTHENTICATED',
      INVALID_TOKEN: '401 UNAUTHENTICATED',
      CSRF: '403 CSRF',
      FORBIDDEN: '200 FORBIDDEN',
      WITHOUT_RIGHTS: '403 FORBIDDEN',
      MAP_NOT_FOUND: '200 MAP_NOT_FOUND',
      TOKEN_NOT_FOUND: '200 TOKEN_NOT_FOUND',
      INVITATION_NOT_FOUND: '200 INVITATION_NOT_FOUND',
      MAP_DELETED: '200 MAP_DELETED',
    },
    signOf: (response) => `${response.status} ${codesOf(response).join(',')}`,
  },
  {
    name: '/v0',
    operations: v0Operations(),
    cookies: 'ignored',
    refusals: V0_REFUSALS,
    signOf: numberOf,
  },
  {
    name: 'exports',
    operations: exportOperations(),
    cookies: 'reads',
    refusals: { ...V0_REFUSALS, MAP_NOT_FOUND: '404 404', MAP_DELETED: '410 410' },
    signOf: numberOf,
  },
];

interface Cell {
  readonly caller: CallerName;
  readonly target: TargetName;
  readonly outcome: Outcome;
}

/** Collects the faults of many cells, so that one failure shows the whole pattern. */
class Faults {
  readonly #messages: string[] = [];

  expect({ caller, target }: Cell, what: string, actual: unknown, expected: unknown): void {
    const [is, should] = [actual, expected].map((value) => JSON.stringify(value));
    if (is !== should) this.#messages.push(`${caller}, ${target}: ${what} is ${is} and should be ${should}`);
  }

  assertNone(): void {
    expect(this.#messages).toEqual([]);
  }
}

/** A response without its unique parts, and the store calls that it took. */
interface Observation {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly calls: readonly string[];
}

function withoutIds(text: string, ids: Ids): string {
  // The longest first: the id of a location contains its map's.
  const all = Object.values(ids as unknown as Record<string, string>).toSorted((a, b) => b.length - a.length);
  return all.reduce((left, id) => left.replaceAll(id, '<id>'), text);
}

export function authorizationMatrix({ url, isShort }: MatrixOptions): void {
  const callers = isShort ? FEW_CALLERS : (Object.keys(CALLERS) as CallerName[]);
  let world: World;
  const targetMaps = {} as Record<TargetName, TargetMap>;
  beforeAll(async () => {
    world = await createWorld(url);
    for (const target of targets) targetMaps[target] = await world.createTarget(target);
  });
  afterAll(() => world.close());

  const cellsOf = (operation: Operation, cookies: CookieUse): Cell[] =>
    callers.flatMap((caller) =>
      targets.map((target) => ({ caller, target, outcome: expectedOf(operation, caller, target, cookies) })),
    );

  const send = (operation: Operation, { caller }: Cell, targetMap: TargetMap) =>
    operation.ask(world.server, targetMap.ids, world.credentialsOf(caller, targetMap));

  let count = 0;
  afterAll(() => {
    console.log(`${count} cells`);
  });

  describe.each(ENDPOINTS)('$name', ({ operations, cookies, refusals, signOf }) => {
    describe.each(operations)('$name', (operation) => {
      const cells = cellsOf(operation, cookies);

      /** Compares the response with the rules. */
      const check = async (cell: Cell, targetMap: TargetMap, faults: Faults) => {
        const response = await send(operation, cell, targetMap);
        count += 1;
        const isRefused = cell.outcome !== 'OK' && cell.outcome !== 'NULL';
        const sign = isRefused ? refusals[cell.outcome] : '200 ';
        faults.expect(cell, 'the response', signOf(response), sign);
        if (!isRefused)
          faults.expect(
            cell,
            'the presence of a result',
            operation.resultOf(response) !== null,
            cell.outcome === 'OK',
          );
        if (!isRefused || operation.name === 'map with its locations') return;
        faults.expect(cell, 'the leak of a name', response.text.includes(TELLTALE), false);
      };

      it('is refused as the rules say, changes nothing and geocodes nothing', async () => {
        const faults = new Faults();
        const before = await stored();
        const calls = world.server.geocoder.asked.length;
        for (const cell of cells) {
          if (cell.outcome !== 'OK') await check(cell, targetMaps[cell.target], faults);
        }
        faults.assertNone();
        expect(await stored()).toEqual(before);
        expect(world.server.geocoder.asked).toHaveLength(calls);
      });

      it('is allowed as the rules say', async () => {
        const faults = new Faults();
        for (const cell of cells) {
          if (cell.outcome !== 'OK') continue;
          // A write gets a new target, since it changes it.
          const targetMap = operation.writes
            ? await world.createTarget(cell.target)
            : targetMaps[cell.target];
          await check(cell, targetMap, faults);
        }
        faults.assertNone();
      });

      if (isShort) return;

      it("treats another owner's target like an unknown one, to the byte and the store calls", async () => {
        const faults = new Faults();
        const absences = new Map<CallerName, Observation>();
        for (const cell of cells) {
          const { caller, target, outcome } = cell;
          const isOwn = roleOf(operation.rule, caller, target) !== null || isLinkTo(caller, target);
          if (isOwn || outcome === 'OK' || target === 'unknown') continue;
          const absent = absences.get(caller) ?? (await observe(operation, { ...cell, target: 'unknown' }));
          absences.set(caller, absent);
          const foreign = await observe(operation, cell);
          faults.expect(cell, 'the status', foreign.status, absent.status);
          faults.expect(cell, 'the body', foreign.text, absent.text);
          faults.expect(cell, 'the headers', foreign.headers, absent.headers);
          faults.expect(cell, 'the work', foreign.calls, absent.calls);
        }
        faults.assertNone();
      });
    });
  });

  /** The content of the store without the last uses of tokens; empty in the short form. */
  async function stored(): Promise<StoredItem[]> {
    const items: StoredItem[] = [];
    if (isShort) return items;
    for await (const item of world.store.storage.dump(0)) {
      items.push(item.kind === 'token' ? { ...item, token: { ...item.token, lastUsedAt: null } } : item);
    }
    return items;
  }

  async function observe(operation: Operation, cell: Cell): Promise<Observation> {
    const targetMap = targetMaps[cell.target];
    world.store.forget();
    const response = await send(operation, cell, targetMap);
    return {
      status: response.status,
      text: withoutIds(response.text, targetMap.ids),
      headers: { ...response.headers, date: '', 'x-request-id': '' },
      // A timer stores the last uses of tokens and sessions.
      calls: world.store.calls.map(({ method }) => method).filter((method) => !/^save.*Uses$/.test(method)),
    };
  }

  describe('a location of another map', () => {
    // Requested through the caller's own map, so that only the location is foreign.
    const fields = [
      'location',
      'updateLocation',
      'moveLocations',
      'restoreVersion',
      'deleteLocation',
      'GET /v0/map/:mapId/location/:locationId',
      'DELETE /v0/map/:mapId/location/:locationId',
    ];
    const operations = ENDPOINTS.flatMap((endpoint) => endpoint.operations).filter(({ name }) =>
      fields.includes(name),
    );

    it.each(operations)('looks like an unknown one to $name', async (operation) => {
      expect(operations).toHaveLength(fields.length);
      const { ids } = targetMaps.own;
      const credentials = world.credentialsOf("the owner's", targetMaps.own);
      const before = await stored();
      const texts: {
        readonly code: unknown;
        readonly isFound: boolean;
        readonly status: number;
        readonly text: string;
      }[] = [];
      for (const locationId of [
        `${ids.mapId}_0123456789ab`,
        ...targets.filter((target) => target !== 'own').map((target) => targetMaps[target].ids.locationId),
      ]) {
        world.store.forget();
        const asked = { ...ids, locationId };
        const response = await operation.ask(world.server, asked, credentials);
        texts.push({
          status: response.status,
          code: response.json.error ?? codesOf(response)[0],
          text: withoutIds(response.text, asked),
          isFound: response.text.includes(TELLTALE),
        });
      }
      expect([404, 'LOCATION_NOT_FOUND']).toContain(texts[0]?.code);
      expect(texts).toEqual(texts.map(() => ({ ...texts[0], isFound: false })));
      expect(await stored()).toEqual(before);
    });
  });

  describe.each([
    ['webhook', 'webhookId', 'WEBHOOK_NOT_FOUND', WEBHOOK_FIELDS],
    ['member', 'memberId', 'MEMBER_NOT_FOUND', ['updateMember', 'removeMember']],
    ['invitation', 'invitationId', 'INVITATION_NOT_FOUND', ['revokeInvitation']],
    ['link', 'linkId', 'MAP_LINK_NOT_FOUND', ['replaceMapLink', 'revokeMapLink']],
  ] as const)('a %s of another map', (_kind, id, code, fields) => {
    const names: readonly string[] = fields;
    const operations = graphqlOperations().filter(({ name }) => names.includes(name));

    it.each(operations)('looks like an unknown one to $name', async (operation) => {
      expect(operations).toHaveLength(fields.length);
      const { ids } = targetMaps.own;
      const credentials = world.credentialsOf("the owner's", targetMaps.own);
      const before = await stored();
      const texts: string[] = [];
      for (const target of targets.filter((each) => each !== 'own')) {
        const asked = { ...ids, [id]: targetMaps[target].ids[id] };
        const response = await operation.ask(world.server, asked, credentials);
        expect([target, codesOf(response)]).toEqual([target, [code]]);
        texts.push(withoutIds(response.text, asked));
      }
      expect(new Set(texts).size).toBe(1);
      expect(await stored()).toEqual(before);
    });
  });

  it('a change of another map looks like an unknown one to undoChange', async () => {
    const operation = graphqlOperations().find(({ name }) => name === 'undoChange');
    const { ids } = targetMaps.own;
    const credentials = world.credentialsOf("the owner's", targetMaps.own);
    const texts: string[] = [];
    for (const target of targets.filter((each) => each !== 'own')) {
      const asked = { ...ids, historyId: targetMaps[target].ids.historyId };
      const response = await operation!.ask(world.server, asked, credentials);
      expect([target, codesOf(response)]).toEqual([target, ['HISTORY_NOT_FOUND']]);
      texts.push(withoutIds(response.text, asked));
    }
    expect(new Set(texts).size).toBe(1);
  });
}
