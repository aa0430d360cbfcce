/** `map-locations geocode` */

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import type { StoreApplication } from '../app/composition/store.ts';
import type { Config } from '../app/config.ts';
import type { GeocodingPrecision } from '../geocoding/geocoder.ts';
import { GEOCODING_PRECISIONS } from '../geocoding/geocoder.ts';
import type { GeocodedAgain, GeocodeOutcome } from '../services/locations/geocode-locations.ts';
import type { GeocodeMapEnd, SavedPosition } from '../services/locations/geocode-map.ts';
import { countOf, formatTime, isJson, printResult, say } from './output.ts';
import { createProgress, rowsPerSecond } from './progress.ts';
import {
  assertNotDeleted,
  FAILED,
  listenForInterruption,
  NOT_STARTED,
  reportFailure,
  withApplication,
} from './run.ts';

interface GeocodeOptions {
  readonly precision?: readonly GeocodingPrecision[];
  readonly unchecked?: boolean;
  readonly dryRun?: boolean;
  readonly restart?: boolean;
}

export function addGeocodeCommand(program: Command): void {
  program
    .command('geocode')
    .description('Geocode the locations of a map again: with a better geocoder, or after its area was set.')
    .argument('<map>', 'id of the map')
    .option(
      '--precision <name>',
      `only points of this precision: ${GEOCODING_PRECISIONS.join(', ')}; repeatable`,
      collectPrecision,
    )
    .option('--unchecked', 'only points that nobody has checked')
    .addOption(new Option('--dry-run', 'store nothing; requests count to quotas').conflicts('restart'))
    .option('--restart', 'start with the first location, even if an earlier run ended early')
    .addHelpText('after', HELP)
    .action(geocode);
}

const HELP = `
Points that a person has set or checked stay, and so do points of a better precision than the new ones.

A run that is interrupted, or that a quota ends, goes on from there when the same command is run again. Addresses that the
geocoder's terms allow to be kept are not requested twice.

Exit status:
    0  all locations are done
    1  the run ended early, at a quota or because the geocoder failed
    2  not started
  130  interrupted (143 by SIGTERM)`;

function collectPrecision(
  name: string,
  earlier: readonly GeocodingPrecision[] = [],
): readonly GeocodingPrecision[] {
  const precision = GEOCODING_PRECISIONS.find((each) => each === name);
  if (precision === undefined) {
    throw new InvalidArgumentError(`It must be one of ${GEOCODING_PRECISIONS.join(', ')}.`);
  }
  return [...earlier, precision];
}

async function geocode(mapId: string, options: GeocodeOptions): Promise<void> {
  const state = { isStarted: false };
  try {
    await withApplication(
      (application, config) =>
        geocodeAll(application, config, mapId, options, () => (state.isStarted = true)),
      { hasLongCalls: true },
    );
  } catch (error) {
    reportFailure(error, state.isStarted ? FAILED : NOT_STARTED);
  }
}

async function geocodeAll(
  { storage, services }: StoreApplication,
  { limits, geocoding: { geocoder, providers } }: Config,
  mapId: string,
  { precision, unchecked, dryRun = false, restart = false }: GeocodeOptions,
  onStarted: () => void,
): Promise<void> {
  const { findOwnedMap, operatorFor } = await import('../services/operator.ts');
  const { geocodeMap } = await import('../services/locations/geocode-map.ts');
  const { readFilter } = await import('../domain/filter/location-filter.ts');
  const { owner, map } = await findOwnedMap(storage, mapId);
  assertNotDeleted(map);
  const precisions = precision === undefined ? null : [...new Set(precision)].sort();
  const isNarrowed = precisions !== null || unchecked === true;
  const geocoding = { precision: precisions, isChecked: unchecked === true ? false : null };
  const interruption = listenForInterruption(() =>
    say('', 'Stopping after the current batch; interrupt again to stop at once.'),
  );
  const tally = new Tally();
  const startedAt = performance.now();
  const progress = { begun: 0, total: 0 };
  const bar = createProgress<number>({
    shareOf: (done) =>
      progress.total > progress.begun ? (done - progress.begun) / (progress.total - progress.begun) : null,
    describe: (done, seconds) =>
      `${done} of ${progress.total} done, ${tally.of('changed')} changed, ${rowsPerSecond(done - progress.begun, seconds)}/s`,
  });
  try {
    const end = await geocodeMap({
      storage,
      geocoding: services.geocoding,
      history: services.history,
      scope: { caller: operatorFor(owner) },
      map,
      filter: readFilter(isNarrowed ? { geocoding } : {}, 'filter'),
      name: runNameOf(
        { geocoding, geocoder, area: map.geocoding, hasKey: map.geocodingApiKey !== null },
        providers,
      ),
      isDryRun: dryRun,
      restart,
      maxBatch: limits.bulk,
      stop: interruption.signal,
      clock: () => performance.now(),
      wait: (milliseconds) => delay(milliseconds, undefined, { signal: interruption.signal }).catch(() => {}),
      onBegin: ({ resumed, total }) => {
        Object.assign(progress, { begun: resumed?.done ?? 0, total });
        if (resumed !== null) sayResumed(resumed);
      },
      onBatch: (done, results) => {
        onStarted();
        tally.add(results);
        bar.update(done);
      },
    });
    bar.clear();
    report(end, tally, dryRun, (performance.now() - startedAt) / 1000);
    if (end.kind === 'stopped') process.exitCode = interruption.exitCode;
  } finally {
    bar.clear();
    interruption.end();
  }
}

/** Another filter, geocoder or area is another run. */
function runNameOf(run: object, providers: Config['geocoding']['providers']): string {
  const urls = Object.values(providers).map(({ url }) => url);
  return createHash('sha256')
    .update(JSON.stringify([run, urls]))
    .digest('base64url');
}

function sayResumed({ done, total, savedAt }: SavedPosition): void {
  say(
    `Going on with a run that ended early, ${formatTime(savedAt)}: ${done} of ${countOf(total, 'location')} are done. ` +
      'Use --restart to geocode all again.',
  );
}

/** What became of the locations. */
class Tally {
  readonly #outcomes = new Map<GeocodeOutcome, number>();
  readonly #precisions = new Map<string, { from: string; to: string; count: number }>();

  add(results: readonly GeocodedAgain[]): void {
    for (const { outcome, before, after } of results) {
      this.#outcomes.set(outcome, this.of(outcome) + 1);
      if (outcome !== 'changed' || after === null) continue;
      const [from, to] = [before.geocoding.precision, after.geocoding.precision];
      const known = this.#precisions.get(`${from} ${to}`) ?? { from, to, count: 0 };
      known.count += 1;
      this.#precisions.set(`${from} ${to}`, known);
    }
  }

  of(outcome: GeocodeOutcome): number {
    return this.#outcomes.get(outcome) ?? 0;
  }

  /** Changed points by precision before and after, the most first. */
  precisions(): readonly { readonly from: string; readonly to: string; readonly count: number }[] {
    return [...this.#precisions.values()].sort((a, b) => b.count - a.count);
  }

  /** Locations that the geocoder or a rule has decided. */
  get done(): number {
    return [...this.#outcomes.values()].reduce((sum, count) => sum + count, 0) - this.of('not_asked');
  }
}

function report(end: GeocodeMapEnd, tally: Tally, isDryRun: boolean, seconds: number): void {
  const [changed, kept, unchanged, notFound] = (['changed', 'kept', 'unchanged', 'not_found'] as const).map(
    (outcome) => tally.of(outcome),
  );
  printResult(
    { changed, kept, unchanged, notFound, end: end.kind, precisions: tally.precisions() },
    `changed ${changed}, kept ${kept}, unchanged ${unchanged}, not found ${notFound}`,
  );
  if (!isJson) {
    for (const { from, to, count } of tally.precisions()) say(`${from} to ${to}: ${count}`);
  }
  const speed = rowsPerSecond(tally.done, seconds);
  say(
    `Geocoded ${countOf(tally.done, 'location')} in ${seconds.toFixed(1)} s (${speed}/s).${isDryRun ? ' Nothing was stored.' : ''}`,
  );
  if (end.kind === 'complete') return;
  if (end.kind === 'ended') {
    reportFailure(end.error, FAILED);
    say(`The run ended at the location ${end.locationId}.`);
  }
  if (!isDryRun) say('The same command goes on from there.');
}
