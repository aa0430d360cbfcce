import { ServiceError } from '../../../src/errors.ts';
import { createOfflineGeocoder } from '../../../src/geocoding/offline/offline-geocoder.ts';
import { readTable } from './tables.ts';

/** Forms of towns: with a numbered district, in two languages, with a region but no comma; and similar texts. */
const forms = readTable('./forms.tsv');
const geocoder = createOfflineGeocoder();

/** A GeoNames id, or `-` for an address that is not found. */
async function idOf(address: string): Promise<string> {
  try {
    const { placeId } = await geocoder.geocode({ address, apiKey: null });
    return placeId.replace('geonames:', '');
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'ADDRESS_NOT_FOUND') return '-';
    throw error;
  }
}

async function misses(kind: string, write: (address: string) => string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { town = '', id = '', address = '' } of forms.filter((form) => form['kind'] === kind)) {
    const found = await idOf(write(address));
    if (found !== id) wrong.push(`${write(address)} -> ${found}, not ${town} (${id})`);
  }
  return wrong;
}

describe('forms of addresses', () => {
  const kinds: readonly (readonly [string, string, number])[] = [
    ['district', 'a numbered district is one of its city', 120],
    ['two names', 'a name in two languages is one town', 140],
    ['region', 'a state or province needs no comma', 200],
    ['other', 'a floor, a street or a word that looks like one of these changes nothing', 30],
    ['nothing', 'a text without a town is not found', 40],
  ];
  for (const [kind, says, least] of kinds) {
    it(says, async () => {
      expect(forms.filter((form) => form['kind'] === kind).length).toBeGreaterThanOrEqual(least);
      expect(await misses(kind, (address) => address)).toEqual([]);
      expect(await misses(kind, (address) => address.toUpperCase())).toEqual([]);
      expect(await misses(kind, (address) => address.toLowerCase())).toEqual([]);
    });
  }

  it('give the same town with and without a comma before a state, with and without a street', async () => {
    const different: string[] = [];
    const towns = readTable('./addresses.tsv').filter(
      ({ country = '', address = '' }) =>
        ['US', 'CA', 'AU'].includes(country) && /, [A-Z]{2,3}\b/.test(address),
    );
    expect(towns.length).toBeGreaterThanOrEqual(10);
    for (const { address = '' } of towns) {
      const without = address.replace(/, (?=[A-Z]{2,3}\b)/g, ' ');
      if ((await idOf(without)) !== (await idOf(address))) different.push(without);
    }
    expect(different).toEqual([]);
  });
});
