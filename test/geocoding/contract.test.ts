/** Runs the contract suite for every adapter. */

import { createGeocoder } from '../../src/geocoding/create-geocoder.ts';
import type { GeocodingQuery, GeocodingResult } from '../../src/geocoding/geocoder.ts';
import { candidatesOf } from '../../src/geocoding/geocoder.ts';
import { createOfflineGeocoder } from '../../src/geocoding/offline/offline-geocoder.ts';
import type { RemoteProvider } from '../../src/geocoding/providers/providers.ts';
import { PROVIDERS } from '../../src/geocoding/providers/providers.ts';
import { PLACE_IDS } from '../support/geocoding-fixtures.ts';
import { placeOf, startGeocodingServer } from '../support/geocoding-server.ts';
import { keylessProvidersAt, settingsFor, townGeocoder } from '../support/geocoding-settings.ts';
import { describeGeocoder } from './geocoder-suite.ts';

const ADDRESSES = [
  '1600 Amphitheatre Parkway, Mountain View',
  'Laugavegur 1, Reykjavík',
  'ulica Długa 5, Kraków',
];

function describeRemote({ name, terms }: RemoteProvider): void {
  describeGeocoder(name, async () => {
    const server = await startGeocodingServer();
    const settings = settingsFor(server.url, { geocoder: [name] });
    const known = ADDRESSES.map((address) => {
      const place = placeOf(address);
      const [houseNumber = ''] = /[0-9]+/.exec(address) ?? [];
      const result: GeocodingResult = {
        placeId: PLACE_IDS[name](place),
        ...place,
        provider: name,
        precision: 'rooftop',
        label: terms.keepsText ? (expect.stringContaining(houseNumber) as unknown as string) : null,
        isAmbiguous: false,
      };
      return { address, result };
    });
    return {
      geocoder: createGeocoder(settings, { offline: townGeocoder }),
      known,
      unknown: 'Nowhere 1',
      close: () => server.close(),
    };
  });
}

for (const provider of PROVIDERS) describeRemote(provider);

describeGeocoder('offline, alone and in the chain', async () => {
  const offline = createOfflineGeocoder();
  const known = [];
  for (const address of ['Laugavegur 1, Reykjavík, Iceland', 'Rue de Rivoli 1, Paris, France']) {
    known.push({ address, result: await offline.geocode({ address, apiKey: null }) });
  }
  const settings = settingsFor('http://127.0.0.1:1', {
    geocoder: ['auto'],
    providers: keylessProvidersAt('http://127.0.0.1:1'),
  });
  const chain = createGeocoder(settings, { offline });
  // The suite passes a map's key, which would select Google under auto.
  const geocoder = {
    geocode: (query: GeocodingQuery) => chain.geocode({ ...query, apiKey: null }),
    candidates: (query: GeocodingQuery) => candidatesOf(chain, { ...query, apiKey: null }),
  };
  return { geocoder, known, unknown: 'Qqqzzxv' };
});
