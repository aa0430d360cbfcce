/** Which providers to ask, in which order and with whose key: what `GEOCODER` means for one map. */

import type { GeocoderName } from '../domain/geocoder-name.ts';
import type { KeySource, ProviderLabel } from './resilience/failures.ts';
import { keyMissing } from './resilience/failures.ts';
import type { RemoteName } from './providers/provider.ts';

export type KeyedName = 'google' | 'mapbox';

export type PlannedStep =
  | { readonly name: 'offline' }
  | { readonly name: RemoteName; readonly key: string | null; readonly keySource: KeySource };

export interface PlanOptions {
  readonly names: readonly GeocoderName[];
  /** The deployment's keys. */
  readonly keys: Readonly<Record<KeyedName, string | null>>;
  readonly labels: Readonly<Record<KeyedName, ProviderLabel>>;
}

/**
 * `auto` is Google when there is a key for it, else offline. The map's key goes only to the first provider named that
 * takes keys (under `auto` that is Google). The deployment's keys are used when the map has none. A provider that takes
 * keys and has none is left out.
 *
 * @param mapKey the map's geocodingApiKey
 * @throws ServiceError GEOCODER_REFUSED when no provider is left
 */
export function planSteps(mapKey: string | null, options: PlanOptions): readonly PlannedStep[] {
  const { names, keys, labels } = options;
  const [firstKeyed] = names.flatMap((name) => keyedName(name) ?? []);
  const keyed = (name: KeyedName): PlannedStep | null => {
    if (name === firstKeyed && mapKey !== null) return { name, key: mapKey, keySource: 'map' };
    return keys[name] === null ? null : { name, key: keys[name], keySource: 'deployment' };
  };
  const steps = new Map<string, PlannedStep>();
  for (const name of names) {
    const step = stepOf(name, keyed);
    // A provider that is named twice is asked where it is named first.
    if (step !== null && !steps.has(step.name)) steps.set(step.name, step);
  }
  if (steps.size > 0) return [...steps.values()];
  const keyless = new Set(names.flatMap((name) => keyedName(name) ?? []));
  throw keyMissing([...keyless].map((name) => labels[name]));
}

function stepOf(name: GeocoderName, keyed: (name: KeyedName) => PlannedStep | null): PlannedStep | null {
  switch (name) {
    case 'auto':
      return keyed('google') ?? { name: 'offline' };
    case 'google':
    case 'mapbox':
      return keyed(name);
    case 'nominatim':
      return { name, key: null, keySource: null };
    case 'offline':
      return { name };
  }
}

function keyedName(name: GeocoderName): KeyedName | null {
  if (name === 'auto') return 'google';
  return name === 'google' || name === 'mapbox' ? name : null;
}
