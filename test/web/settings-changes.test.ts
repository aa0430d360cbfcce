/** The map settings that the console sends. */

import { changedSettings, keysOf } from '../../web/console/settings/settings-changes.ts';

const stored = {
  name: 'Cafés',
  fields: [{ name: 'Name', type: 'placeName', isPublic: true }] as const,
  keys: keysOf({ providerMapApiKey: 'draw', geocodingApiKey: null }),
};

describe('the changed settings of a map', () => {
  it('are empty if nothing was changed', () => {
    expect(changedSettings(stored, stored)).toEqual({});
    const renamedAndBack = stored.fields.map((field) => ({ ...field, was: 'Before' }));
    expect(changedSettings(stored, { ...stored, fields: renamedAndBack })).toEqual({});
  });

  it('hold no key that was not loaded', () => {
    const unknown = { ...stored, keys: null };
    expect(changedSettings(unknown, { ...unknown, name: 'Bars' })).toEqual({ name: 'Bars' });
    expect(changedSettings(unknown, { ...stored, name: 'Bars' })).toEqual({ name: 'Bars' });
  });

  it('hold a new key, and null for a cleared one', () => {
    const keys = { providerMapApiKey: '', geocodingApiKey: 'find' };
    expect(changedSettings(stored, { ...stored, keys })).toEqual({
      providerMapApiKey: null,
      geocodingApiKey: 'find',
    });
    const one = { ...stored.keys, geocodingApiKey: 'find' };
    expect(changedSettings(stored, { ...stored, keys: one })).toEqual({ geocodingApiKey: 'find' });
  });

  it('hold all fields if one of them or their order was changed', () => {
    const fields = [{ name: 'Name', type: 'placeName', isPublic: false, was: 'Name' }] as const;
    expect(changedSettings(stored, { ...stored, fields })).toEqual({
      fields: [{ name: 'Name', type: 'placeName', isPublic: false }],
    });
  });
});
