/** Selects the providers for a map, their order and their keys, as the setting `GEOCODER` says. */

import type { GeocoderName, ProviderConfigs, RemoteName } from './providers/providers.ts';
import { AUTO_PROVIDER, providerNamed } from './providers/providers.ts';
import type { KeySource } from './resilience/failures.ts';
import { keyMissing } from './resilience/failures.ts';

export type ProviderStep =
  | { readonly name: 'offline' }
  | { readonly name: RemoteName; readonly key: string | null; readonly keySource: KeySource };

export interface SelectionOptions {
  readonly names: readonly GeocoderName[];
  readonly configs: ProviderConfigs;
}

/**
 * `auto` is Google if there is a key for it, else offline. The map's key is for the first listed provider that takes
 * keys (under `auto`, Google); the others, and maps without a key, use the deployment's keys. A provider that needs a
 * key and has none is skipped.
 *
 * @param mapKey the map's geocodingApiKey
 * @throws ServiceError GEOCODER_REFUSED if no provider is left
 */
export function selectProviders(
  mapKey: string | null,
  { names, configs }: SelectionOptions,
): readonly ProviderStep[] {
  const keyed = names.flatMap((name) => keyedName(name) ?? []);
  const withKey = (name: RemoteName): ProviderStep | null => {
    if (name === keyed[0] && mapKey !== null) return { name, key: mapKey, keySource: 'map' };
    const { key } = configs[name];
    return key === null ? null : { name, key, keySource: 'deployment' };
  };
  const steps = new Map<string, ProviderStep>();
  for (const name of names) {
    const step = stepOf(name, withKey);
    // A provider listed twice keeps its first position.
    if (step !== null && !steps.has(step.name)) steps.set(step.name, step);
  }
  if (steps.size > 0) return [...steps.values()];
  throw keyMissing([...new Set(keyed)].map(providerNamed));
}

function stepOf(name: GeocoderName, withKey: (name: RemoteName) => ProviderStep | null): ProviderStep | null {
  if (name === 'offline') return { name };
  if (name === 'auto') return withKey(AUTO_PROVIDER) ?? { name: 'offline' };
  return providerNamed(name).keySetting === null ? { name, key: null, keySource: null } : withKey(name);
}

/** The remote provider, if it takes a key. */
function keyedName(name: GeocoderName): RemoteName | null {
  if (name === 'offline') return null;
  const remote = name === 'auto' ? AUTO_PROVIDER : name;
  return providerNamed(remote).keySetting === null ? null : remote;
}
