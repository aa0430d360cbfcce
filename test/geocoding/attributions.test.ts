/** What must be shown with the points of each provider. */

import { createGeocoder } from '../../src/geocoding/create-geocoder.ts';
import { createOfflineGeocoder } from '../../src/geocoding/offline/offline-geocoder.ts';
import { GEOCODER_NAMES } from '../../src/geocoding/providers/providers.ts';
import { providersAt, settingsFor } from '../support/geocoding-settings.ts';

const URL_OF_NOTHING = 'http://127.0.0.1:1';
const NAMES = GEOCODER_NAMES.filter((name) => name !== 'auto');

function attributionsWith(changes: Parameters<typeof providersAt>[1] = {}) {
  const settings = settingsFor(URL_OF_NOTHING, { providers: providersAt(URL_OF_NOTHING, changes) });
  return (
    createGeocoder(settings, { offline: createOfflineGeocoder() }).attributions ?? new Map<string, never>()
  );
}

describe('the attributions of a geocoder', () => {
  it('are those of all providers, in use or not, each with a link', () => {
    const all = attributionsWith();
    expect([...all.keys()].sort()).toEqual([...NAMES].sort());
    for (const [name, attributions] of all) {
      expect([name, attributions.length]).not.toEqual([name, 0]);
      for (const { text, url } of attributions) {
        expect([name, text]).toEqual([name, expect.stringMatching(/^[^<>\n]+$/)]);
        expect([name, url]).toEqual([name, expect.stringMatching(/^https:\/\//)]);
      }
    }
  });

  it('are by the name in stored results, with what the operator says of the data', () => {
    const attribution = { text: 'Base Adresse Nationale', url: null };
    const all = attributionsWith({ geocodejson: { shownName: 'ban', attribution } });
    expect(all.get('ban')).toEqual([attribution]);
    expect(all.has('geocodejson')).toBe(false);
    expect(attributionsWith({ geocodejson: { shownName: 'ban' } }).get('ban')).toEqual(
      attributionsWith().get('photon'),
    );
  });
});
