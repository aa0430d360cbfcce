/** The map settings that the console sends, and those that it keeps in the form. */

import type { MapDetailsFragment } from '../../web/console/generated/operations.ts';
import type { Settings } from '../../web/console/settings/settings-changes.ts';
import {
  afterSaving,
  changedSettings,
  keysOf,
  moveEntry,
  settingsOf,
} from '../../web/console/settings/settings-changes.ts';

const MAP = {
  name: 'Cafés',
  fields: [{ name: 'Name', type: 'placeName', isPublic: true }],
  language: null,
  timeZone: 'Europe/Berlin',
  theme: { accent: '#c2410c', font: 'system', appearance: 'auto', poweredBy: true, logo: null },
  categories: [{ value: 'cafe', label: null, color: null, icon: 'cafe' }],
} as unknown as MapDetailsFragment;
const KEYS = keysOf({ providerMapApiKey: 'draw', geocodingApiKey: null });

const stored = (): Settings => settingsOf(MAP, { ...KEYS });
const edited = (edit: (settings: Settings) => void): Settings => {
  const settings = stored();
  edit(settings);
  return settings;
};
const changesBy = (edit: (settings: Settings) => void) => changedSettings(stored(), edited(edit));

describe('the changed settings of a map', () => {
  it('are empty if nothing was changed', () => {
    expect(changedSettings(stored(), stored())).toEqual({});
    expect(changesBy(({ fields }) => fields.forEach((field) => (field.was = 'Before')))).toEqual({});
  });

  it('hold no key that was not loaded', () => {
    const unknown = settingsOf(MAP, null);
    expect(changedSettings(unknown, { ...unknown, name: 'Bars' })).toEqual({ name: 'Bars' });
    expect(changedSettings(unknown, { ...stored(), name: 'Bars' })).toEqual({ name: 'Bars' });
  });

  it('hold a new key, and null for a cleared one', () => {
    const keys = { providerMapApiKey: '', geocodingApiKey: 'find' };
    expect(changesBy((settings) => (settings.keys = keys))).toEqual({
      providerMapApiKey: null,
      geocodingApiKey: 'find',
    });
    expect(changesBy((settings) => (settings.keys = { ...KEYS, geocodingApiKey: 'find' }))).toEqual({
      geocodingApiKey: 'find',
    });
  });

  it('hold all fields if one of them or their order was changed', () => {
    const [field] = MAP.fields;
    expect(changesBy(({ fields }) => fields.forEach((one) => (one.isPublic = false)))).toEqual({
      fields: [{ ...field, isPublic: false }],
    });
  });

  it('hold the changed members of the theme alone', () => {
    expect(changesBy(({ page }) => (page.font = 'mono'))).toEqual({ theme: { font: 'mono' } });
    expect(changesBy(({ page }) => Object.assign(page, { accent: null, logo: null }))).toEqual({
      theme: { accent: null, logo: null },
    });
  });

  it('hold null for a language or a time zone that was removed', () => {
    expect(changesBy(({ page }) => Object.assign(page, { language: 'ja', timeZone: null }))).toEqual({
      language: 'ja',
      timeZone: null,
    });
  });

  it('hold all categories if one of them was changed', () => {
    const park = { value: 'park', label: 'Parks', color: '#007700', icon: null };
    expect(changesBy(({ categories }) => categories.push(park))).toEqual({
      categories: [...MAP.categories, park],
    });
  });
});

describe('the settings in the form', () => {
  it('are those that were stored, and those edited while they were saved', () => {
    const sent = edited(({ page }) => Object.assign(page, { accent: '#FFCC00', logo: 'data:,' }));
    const later = structuredClone(sent);
    later.name = 'Bars';
    later.page.font = 'serif';
    const saved = settingsOf({ ...MAP, theme: { ...MAP.theme, accent: '#ffcc00' } }, KEYS);
    expect(afterSaving(later, sent, saved)).toEqual({
      ...saved,
      name: 'Bars',
      page: { ...saved.page, font: 'serif' },
    });
  });
});

describe('moving an entry of a list', () => {
  it('exchanges it with its neighbour', () => {
    expect(moveEntry(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
    expect(moveEntry(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b']);
  });
});
