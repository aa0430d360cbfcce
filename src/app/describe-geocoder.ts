/** The geocoder of a deployment, in a few words for its operator. */

import type { Config } from './config.ts';
import { AUTO_PROVIDER, providerNamed } from '../geocoding/providers/providers.ts';

const OFFLINE = 'offline, to the town';

export function describeGeocoder({ geocoding: { geocoder, providers } }: Config): string {
  const auto = providerNamed(AUTO_PROVIDER).title;
  const names = geocoder.map((name) => {
    if (name === 'offline') return OFFLINE;
    if (name !== 'auto') return providerNamed(name).title;
    return providers[AUTO_PROVIDER].key === null ? `${auto} for maps with a key, else ${OFFLINE}` : auto;
  });
  return names.join(', then ');
}
