/** P18: what the history costs updates: against the program before changes kept former states. */

import { join } from 'node:path';

import type { Workload } from '../harness/bench.ts';
import { BEFORE_HISTORY, buildEarlier } from '../harness/earlier-program.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import { stopAfter } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { graphql, queryGraphql } from '../harness/request.ts';
import { ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import { copyStore, createSqliteStore } from '../harness/stores.ts';
import type { Subject } from '../harness/subject.ts';
import { cli, OUR_PROGRAM, startOurs } from '../harness/subject.ts';
import { loadOf, onServerCore } from './page-load.ts';

/** An update may cost 1.3 times as much. */
const TARGET = 1 / 1.3;
const LOCATIONS = 500;

const UPDATE = `mutation ($input: UpdateLocationInput!) {
  updateLocation(input: $input) { location { id version } }
}`;

export const updateCost: Workload = {
  id: 'P18',
  async run(bench) {
    const { folder, options } = bench;
    const program = await buildEarlier(BEFORE_HISTORY, folder, options.stores, (line) =>
      bench.progress(line),
    );
    const before = await createSqliteStore(join(folder, 'updates.db'), folder, LOCATIONS, program);
    // The same map and tokens; our first command migrates the store.
    const now = copyStore(before, folder, 'updates-upgraded');
    await cli(now.url, ['token', 'create', '--owner', 'bench', '--scope', 'read'], folder);
    const servers: Subject[] = [];
    for (const [each, store] of [
      [OUR_PROGRAM, now],
      [program, before],
    ] as const) {
      servers.push(await startOurs(store.url, onServerCore(bench, store), {}, each));
    }
    return stopAfter(servers, async () => {
      const requests = await updatesOf(servers[0]!, now);
      const measured = await measureRounds(
        bench,
        servers.map((subject) => ({
          name: subject.name,
          subject,
          load: loadOf(bench, 'P18', requests, now.writeToken),
        })),
      );
      return {
        id: 'P18',
        title: 'updates that keep the former state, against the program before there was a history',
        goals: [ratioGoal(program.name, measured[0], measured[1], TARGET)],
        rows: rowsOf(measured),
        notes: [],
      };
    });
  },
};

/** Changes a field of each location to one value, then to another, so that repeating them changes it again. */
async function updatesOf(server: Subject, store: SqliteStore): Promise<HttpRequest[]> {
  const ids = await idsIn(server, store);
  return ['Closed on Mondays', 'Closed on Sundays'].flatMap((description) =>
    ids.map((id) =>
      graphql(UPDATE, { input: { mapId: store.mapId, id, fields: { Description: description } } }),
    ),
  );
}

interface Listed {
  readonly map: {
    readonly locations: {
      readonly nodes: readonly { readonly id: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  };
}

async function idsIn({ origin }: Subject, { mapId, readToken }: SqliteStore): Promise<string[]> {
  const query = `query ($id: ID!, $after: String) {
    map(id: $id) { locations(first: 100, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }
  }`;
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const variables: object = { id: mapId, after };
    const { map }: Listed = await queryGraphql<Listed>(origin, readToken, query, variables);
    ids.push(...map.locations.nodes.map(({ id }) => id));
    after = map.locations.pageInfo.hasNextPage ? map.locations.pageInfo.endCursor : null;
  } while (after !== null);
  return ids;
}
