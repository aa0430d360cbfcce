/** P13: pages of search results. */

import type { Workload } from '../harness/bench.ts';
import { assertEqual } from '../harness/equality.ts';
import { circlesOf } from '../harness/search-areas.ts';
import { distinctPages, startsOfImported } from '../harness/pages.ts';
import { FASTIFY_SEARCH, startSearchPeer, stopAfter } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { headersOf } from '../harness/request.ts';
import { ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import { ratioOf } from '../harness/statistics.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import type { Subject } from '../harness/subject.ts';
import { startOurs } from '../harness/subject.ts';
import type { Measured } from '../harness/wrk.ts';
import { listedPage } from './graphql-operations.ts';
import { uncheckSome } from '../harness/unchecked.ts';
import {
  assertHits,
  nearRequests,
  propertyRequests,
  searchRequests,
  uncheckedRequests,
} from './search-requests.ts';
import { DISTINCT_PAGES, distinctOf, loadOf, onServerCore, sizeNotes, sampleOf } from './page-load.ts';

const TARGET = 1;
/** Measured for ours only, without a goal. */
const LIST = 'a page of the list';
/** Every page but the last has a next page. */
const UNCHECKED = 'unchecked';
const BY_DISTANCE = 'near, by distance';

type Searches = Readonly<Record<string, readonly HttpRequest[]>>;

export const searchPages: Workload = {
  id: 'P13',
  async run(bench) {
    const { largeMap } = bench.options.sizes;
    const store = await bench.stores.large();
    uncheckSome(store);
    bench.progress('creating the peer’s indexes and circles with 100 hits');
    const circles = circlesOf(store, distinctOf(bench));
    const filtered: Searches = {
      near: nearRequests(store.mapId, circles),
      search: searchRequests(store, largeMap),
      'property eq': propertyRequests(store, largeMap),
    };
    const starts = distinctPages(startsOfImported(store.mapId, largeMap), DISTINCT_PAGES);
    const unrated: Searches = {
      [LIST]: starts.map((start) => listedPage(store.mapId, start)),
      [BY_DISTANCE]: nearRequests(store.mapId, circles, { by: 'distance' }),
    };
    const options = onServerCore(bench, store);
    const ours = await startOurs(store.url, options);
    return stopAfter([ours], async () => {
      const searches = { ...filtered, [UNCHECKED]: await uncheckedRequests(ours, store) };
      const peer = await startSearchPeer(store, options, filtered.near![0]!);
      return stopAfter([peer], async () => {
        await assertPages([ours, peer], searches, store);
        for (const [name, requests] of Object.entries(unrated))
          await assertHits(ours, requests, store.readToken, name !== LIST);
        const contender = (subject: Subject, name: string, requests: readonly HttpRequest[]) => ({
          name: `${subject.name}: ${name}`,
          subject,
          load: loadOf(bench, `P13-${name}`, requests, store.readToken),
        });
        const measured = await measureRounds(bench, [
          ...Object.entries(searches).flatMap(([name, requests]) =>
            [ours, peer].map((subject) => contender(subject, name, requests)),
          ),
          ...Object.entries(unrated).map(([name, requests]) => contender(ours, name, requests)),
        ]);
        const compared = Object.keys(searches).map((name, index) => ({
          name,
          us: measured[2 * index]!,
          them: measured[2 * index + 1]!,
        }));
        const list = measured[2 * compared.length]!;
        return {
          id: 'P13',
          title: 'searches with 100 hits, distinct, a page of 100 by GraphQL',
          goals: compared.map(({ name, us, them }) =>
            ratioGoal(`${FASTIFY_SEARCH}: ${name}`, us, them, TARGET),
          ),
          rows: rowsOf(measured),
          notes: [
            `requests per second against ${LIST}: ${compared.map(({ name, us }) => `${name} ${ratioTo(list, us)}`).join(', ')}`,
            ...sizeNotes(bench),
          ],
        };
      });
    });
  },
};

/** @throws Error when a page does not hold exactly the 100 hits, or the subjects differ */
async function assertPages(
  subjects: readonly [ours: Subject, peer: Subject],
  searches: Searches,
  { readToken }: SqliteStore,
): Promise<void> {
  for (const [name, requests] of Object.entries(searches)) {
    await assertHits(subjects[0], requests, readToken, name !== UNCHECKED);
    await assertEqual(subjects, sampleOf(requests, 200), headersOf(readToken), 'json');
  }
}

function ratioTo(theirs: Measured, ours: Measured): string {
  const rates = ({ samples }: Measured) => samples.map(({ perSecond }) => perSecond);
  return ratioOf(rates(ours), rates(theirs)).median.toFixed(2);
}
