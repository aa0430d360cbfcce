/** P7: single durable creates of one address. */

import { DatabaseSync } from '@photostructure/sqlite';

import type { Workload } from '../harness/bench.ts';
import { readCommitCounter } from '../harness/commits.ts';
import { FASTIFY, stopAfter } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { sendRequest, queryGraphql, headersOf } from '../harness/request.ts';
import type { Row } from '../harness/result.ts';
import { formatNumber, ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import { copyStore } from '../harness/stores.ts';
import type { Subject, SubjectOptions } from '../harness/subject.ts';
import { OURS, startOurs, startPeer } from '../harness/subject.ts';
import { fieldsOf } from '../harness/locations.ts';
import { loadOf, onServerCore } from './page-load.ts';

const TARGET = 1;
const MAX_COMMITS = 125;
const FIELDS = { ...fieldsOf(1), Address: 'Rua Garrett 122, 1200-205 Lisboa, Portugal' };

export const creates: Workload = {
  id: 'P7',
  async run(bench) {
    const empty = await bench.stores.empty();
    const stores = {
      [OURS]: copyStore(empty, bench.folder, 'creates-1'),
      [FASTIFY]: copyStore(empty, bench.folder, 'creates-2'),
    };
    const options: SubjectOptions = onServerCore(bench, empty);
    const create = createRequest(empty.mapId);

    const ours = await startOurs(stores[OURS].url, options);
    return stopAfter([ours], async () => {
      const geocodes = JSON.stringify({ [FIELDS.Address]: await geocodeAddress(ours, empty) });
      const env = { DATABASE: stores[FASTIFY].path, GEOCODES: geocodes };
      const fastify = await startPeer(FASTIFY, 'fastify-sqlite', env, options);
      return stopAfter([fastify], async () => {
        await assertSameCreate(ours, fastify, create, empty.writeToken);
        const before = { [OURS]: countOf(stores[OURS]), [FASTIFY]: countOf(stores[FASTIFY]) };
        const load = loadOf(bench, 'P7', [create], empty.writeToken);
        const measured = await measureRounds(bench, [
          { name: OURS, subject: ours, load },
          { name: FASTIFY, subject: fastify, load },
        ]);
        const commits = (name: typeof OURS | typeof FASTIFY) => {
          const now = countOf(stores[name]);
          return (1000 * (now.commits - before[name].commits)) / (now.creates - before[name].creates);
        };
        const [us, them] = measured;
        return {
          id: 'P7',
          title: `single durable creates of one address, ${bench.options.connections} clients, synchronous=FULL`,
          goals: [
            ratioGoal(`${FASTIFY}, one transaction per create`, us, them, TARGET),
            {
              against: 'commits per 1,000 creates',
              ours: formatNumber(commits(OURS)),
              theirs: formatNumber(commits(FASTIFY)),
              value: formatNumber(commits(OURS)),
              second: '',
              target: `≤ ${MAX_COMMITS}`,
              isMet: commits(OURS) <= MAX_COMMITS,
            },
          ],
          rows: rowsOf(measured) satisfies Row[],
          notes: [],
        };
      });
    });
  },
};

export function createRequest(mapId: string): HttpRequest {
  return { path: `/v0/map/${mapId}/location`, body: JSON.stringify({ fields: FIELDS }) };
}

/** The result of our geocoder, which the peer holds in memory. */
async function geocodeAddress({ origin }: Subject, { mapId, writeToken }: SqliteStore): Promise<object> {
  interface Created {
    readonly createLocation: {
      readonly location: {
        readonly placeId: string;
        readonly latitude: number;
        readonly longitude: number;
        readonly geocoding: object;
      };
    };
  }
  const mutation = `mutation ($input: CreateLocationInput!) {
    createLocation(input: $input) { location { placeId latitude longitude geocoding { provider precision } } }
  }`;
  const data = await queryGraphql<Created>(origin, writeToken, mutation, {
    input: { mapId, fields: FIELDS },
  });
  const { geocoding, ...place } = data.createLocation.location;
  return { ...place, ...geocoding };
}

/** @throws Error when the responses differ in more than the new location's id */
export async function assertSameCreate(
  ours: Subject,
  theirs: Subject,
  create: HttpRequest,
  token: string,
): Promise<void> {
  const [expected, response] = await Promise.all(
    [ours, theirs].map(async ({ origin }) => {
      const { status, contentType, body } = await sendRequest(origin, create, headersOf(token));
      return `${status} ${contentType} ${body.toString().replace(/"id":"[^"]*"/, '"id":""')}`;
    }),
  );
  if (expected !== response) throw new Error(`The responses to a create differ:\n${expected}\n${response}`);
}

function countOf({ path, mapId }: SqliteStore): { commits: number; creates: number } {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare('SELECT last_sequence FROM maps WHERE id = ?').get(mapId);
    return { commits: readCommitCounter(path), creates: Number(row?.last_sequence) };
  } finally {
    database.close();
  }
}
