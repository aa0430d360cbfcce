/** Whom to ask, in which order and with whose key: what `GEOCODER` means for one map. */

import type { GeocoderName } from '../domain/geocoder-name.ts';
import type { KeySource, ProviderLabel } from './failures.ts';
import { keyMissing } from './failures.ts';
import type { RemoteName } from './provider.ts';

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
 * `auto` is Google where there is a key for it, else offline. The map's key goes to the first keyed provider named
 * (under `auto` that is Google) and to no other; the deployment's serve where the map has none. A keyed provider
 * without a key is passed over.
 *
 * @param mapKey the map's geocodingApiKey
 * @throws ServiceError GEOCODER_REFUSED where nobody is left
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
    // Named twice, a provider is asked where it is named first.
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
