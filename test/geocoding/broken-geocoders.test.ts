/** The contract suite must fail for each of these. */

import { ServiceError } from '../../src/errors.ts';
import type {
  Geocoder,
  GeocodingCandidate,
  GeocodingQuery,
  GeocodingResult,
} from '../../src/geocoding/geocoder.ts';
import type { Subject } from './geocoder-suite.ts';
import { CHECKS } from './geocoder-suite.ts';

const KNOWN: Readonly<Record<string, GeocodingResult>> = {
  'A 1': {
    placeId: 'x:1',
    latitude: 12.3456789,
    longitude: -0.1276474,
    provider: 'x',
    precision: 'rooftop',
    label: 'A 1, Town',
    isAmbiguous: false,
  },
  'B 2': {
    placeId: 'x:2',
    latitude: 0,
    longitude: 179.9999999,
    provider: 'x',
    precision: 'street',
    label: null,
    isAmbiguous: true,
  },
};

const sound = ({ address, signal }: GeocodingQuery): Promise<GeocodingResult> => {
  if (signal?.aborted) return Promise.reject(signal.reason as Error);
  const result = KNOWN[address];
  if (result !== undefined) return Promise.resolve(result);
  return Promise.reject(new ServiceError('ADDRESS_NOT_FOUND', 'No such address.'));
};

const soundCandidate = async (query: GeocodingQuery): Promise<GeocodingCandidate> => {
  const { label, isAmbiguous: _, ...point } = await sound(query);
  return { ...point, formattedAddress: label };
};

const changed =
  (change: (result: GeocodingResult) => Partial<GeocodingResult>) => async (query: GeocodingQuery) => {
    const result = await sound(query);
    return { ...result, ...change(result) };
  };
const failing = (fail: (query: GeocodingQuery) => unknown) => async (query: GeocodingQuery) => {
  if (query.signal?.aborted || Object.hasOwn(KNOWN, query.address)) return sound(query);
  throw fail(query);
};

let last: GeocodingQuery | undefined;

const BROKEN: Readonly<Record<string, Geocoder['geocode']>> = {
  'rounds coordinates': changed(({ latitude }) => ({ latitude: Number(latitude.toFixed(3)) })),
  'swaps latitude and longitude': changed((r) => ({ latitude: r.longitude, longitude: r.latitude })),
  'gives -0': changed(({ latitude }) => ({ latitude: latitude === 0 ? -0 : latitude })),
  'gives NaN': changed(() => ({ longitude: Number.NaN })),
  'gives no place id': changed(() => ({ placeId: ' ' })),
  'gives another precision': changed(() => ({ precision: 'exact' as 'rooftop' })),
  'writes a blank label': changed(() => ({ label: ' ' })),
  'does not say whether the address is ambiguous': changed(() => ({
    isAmbiguous: undefined,
  })),
  'names no provider': changed(() => ({ provider: '' })),
  'tells the key': async (query) => ({ ...(await sound(query)), key: query.apiKey }) as GeocodingResult,
  'tells the key in an error': failing(
    ({ apiKey }) => new ServiceError('ADDRESS_NOT_FOUND', `Not found with ${apiKey}`),
  ),
  'tells the key in a cause': failing(
    ({ apiKey }) => new ServiceError('ADDRESS_NOT_FOUND', 'Not found.', { cause: { deep: { apiKey } } }),
  ),
  'throws what is no ServiceError': failing(() => new Error('Not found.')),
  'takes not found for a failure': failing(() => new ServiceError('GEOCODER_UNAVAILABLE', 'Not found.')),
  'repeats the address': failing(
    ({ address }) => new ServiceError('ADDRESS_NOT_FOUND', `No such address: ${address}`),
  ),
  'finds everything': (query) =>
    Object.hasOwn(KNOWN, query.address) ? sound(query) : Promise.resolve(KNOWN['A 1']!),
  'serves who has gone': ({ signal: _, ...query }) => sound(query),
  'mixes up what is asked at once': async (query) => {
    last = query;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return sound({ ...query, address: last.address });
  },
  'changes the query': (query) => {
    (query as { apiKey: string | null }).apiKey = null;
    return sound(query);
  },
};

const BROKEN_CANDIDATES: Readonly<Record<string, Required<Geocoder>['candidates']>> = {
  'begins with another candidate': async (query) => [
    { ...(await soundCandidate(query)), placeId: 'x:9' },
    await soundCandidate(query),
  ],
  'gives too many candidates': async (query) =>
    Array<GeocodingCandidate>(6).fill(await soundCandidate(query)),
  'gives no candidates of what is unknown, instead of an error': async (query) =>
    query.signal?.aborted || Object.hasOwn(KNOWN, query.address) ? [await soundCandidate(query)] : [],
  'writes a blank address': async (query) => [{ ...(await soundCandidate(query)), formattedAddress: ' ' }],
};

async function failedChecks(
  geocode: Geocoder['geocode'],
  candidates?: Geocoder['candidates'],
): Promise<readonly string[]> {
  const known = Object.entries(KNOWN).map(([address, result]) => ({ address, result }));
  const subject: Subject = {
    geocoder: { geocode, ...(candidates && { candidates }) },
    known,
    unknown: 'Nowhere 1',
  };
  const failed: string[] = [];
  for (const check of CHECKS) {
    await check.run(subject).catch(() => failed.push(check.name));
  }
  return failed;
}

describe('the geocoder contract', () => {
  it('passes for a correct geocoder', async () => {
    expect(await failedChecks(sound)).toEqual([]);
  });

  for (const [name, geocode] of Object.entries(BROKEN)) {
    it(`fails for one that ${name}`, async () => {
      expect(await failedChecks(geocode)).not.toEqual([]);
    });
  }

  for (const [name, candidates] of Object.entries(BROKEN_CANDIDATES)) {
    it(`fails for one that ${name}`, async () => {
      expect(await failedChecks(sound, candidates)).not.toEqual([]);
    });
  }

  it('has no check that every broken geocoder passes', async () => {
    const failed = new Set<string>();
    for (const geocode of Object.values(BROKEN)) {
      for (const name of await failedChecks(geocode)) failed.add(name);
    }
    expect([...failed].toSorted()).toEqual(CHECKS.map(({ name }) => name).toSorted());
  });
});
