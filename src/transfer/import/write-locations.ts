/** How the locations of a batch are written: as new ones, by their external ids, or not at all. */

import { canonicalDigest } from '../../domain/canonical-json.ts';
import type { MapRecord } from '../../domain/map.ts';
import { addressFieldOf } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import { externalIdTaken } from '../../services/create-locations.ts';
import type { LocationInput, LocationService } from '../../services/locations.ts';
import type { ReviewResult } from '../../services/review-locations.ts';
import type { Scope } from '../../services/scope.ts';
import type { WriteLocations } from './store-batch.ts';

export function creating(locations: LocationService, scope: Scope, map: MapRecord): WriteLocations {
  return async (inputs) => {
    const { results } = await locations.createLocations(scope, map.id, inputs);
    return results.map((result): ReviewResult => (result instanceof ServiceError ? result : 'created'));
  };
}

/** One without an external id is created. Of several with the same one, each changes what the one before it has made. */
export function upserting(locations: LocationService, scope: Scope, map: MapRecord): WriteLocations {
  const create = creating(locations, scope, map);
  return async (inputs) => {
    const results: ReviewResult[] = [];
    for (const run of runsOf(inputs))
      results.push(...(await (run.isUpsert ? upsert(run.inputs) : create(run.inputs))));
    return results;
  };

  async function upsert(inputs: readonly LocationInput[]): ReturnType<WriteLocations> {
    const { results } = await locations.upsertLocations(
      scope,
      map.id,
      inputs.map(({ externalId, fields, order, isOrderKept, position }) => ({
        externalId: externalId ?? '',
        fields,
        order,
        isOrderKept,
        // Null would have the address geocoded anew.
        position: position ?? undefined,
      })),
    );
    return results.map((result) => {
      if (!(result instanceof ServiceError)) return result.outcome;
      // No mistake of the row: the import ends here, and goes on from here.
      if (result.code === 'STORAGE_UNAVAILABLE') throw result;
      return result;
    });
  }
}

interface Run {
  readonly isUpsert: boolean;
  readonly inputs: LocationInput[];
}

/** In the order of the file; one call may hold an external id once. */
function runsOf(inputs: readonly LocationInput[]): readonly Run[] {
  const runs: Run[] = [];
  let seen = new Set<string>();
  for (const input of inputs) {
    const { externalId = null } = input;
    const isUpsert = externalId !== null;
    let run = runs.at(-1);
    if (run?.isUpsert !== isUpsert || seen.has(externalId ?? '')) {
      run = { isUpsert, inputs: [] };
      runs.push(run);
      seen = new Set();
    }
    run.inputs.push(input);
    if (externalId !== null) seen.add(externalId);
  }
  return runs;
}

/** Stores nothing. It remembers every external id of the file: an earlier row would have stored it. */
export function reviewing(
  locations: LocationService,
  scope: Scope,
  map: MapRecord,
  { isUpsert }: { readonly isUpsert: boolean },
): WriteLocations {
  const known = new Map<string, string>();
  const judge = (input: LocationInput, result: ReviewResult): ReviewResult => {
    const { externalId = null } = input;
    if (externalId === null || result instanceof ServiceError) return result;
    const earlier = known.get(externalId);
    if (earlier !== undefined && !isUpsert) return externalIdTaken();
    // While no row has changed it, the location is as it was found.
    if (earlier === undefined && result === 'unchanged') return result;
    const said = readSaid(input, map);
    const now = pack(earlier === undefined ? said : after(unpack(earlier), said));
    known.set(externalId, now);
    if (earlier === undefined) return result;
    return now === earlier ? 'unchanged' : 'updated';
  };
  return async (inputs) => {
    const results = await locations.reviewLocations(scope, map.id, inputs, isUpsert);
    return inputs.map((input, index) => {
      const result = results[index];
      if (result === undefined) throw new Error('Fewer results than inputs came back.');
      return judge(input, result);
    });
  };
}

/** 72 bits. */
const DIGEST_LENGTH = 12;

/** What a row says of a location, and so what it is like afterwards: digests, empty where it says nothing. */
interface Said {
  readonly fields: string;
  readonly address: string;
  readonly order: string;
  readonly position: string;
}

function readSaid({ fields, order, position }: LocationInput, map: MapRecord): Said {
  const address = fields[addressFieldOf(map.fields) ?? ''];
  return {
    fields: digestOf(fields),
    address: digestOf(address),
    order: digestOf(order),
    position: digestOf(position),
  };
}

/** One text, since a file may have millions of external ids. */
function pack({ fields, address, order, position }: Said): string {
  return [fields, address, order, position].join(' ');
}

function unpack(text: string): Said {
  const [fields = '', address = '', order = '', position = ''] = text.split(' ');
  return { fields, address, order, position };
}

function digestOf(value: unknown): string {
  return value === null || value === undefined ? '' : canonicalDigest(value).slice(0, DIGEST_LENGTH);
}

/** Where no point is said, another address gives the location one that is not known, and the same leaves it where it is. */
function after(earlier: Said, said: Said): Said {
  const stays = said.address === earlier.address ? earlier.position : '';
  return { ...said, order: said.order || earlier.order, position: said.position || stays };
}
