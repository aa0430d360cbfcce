import { actorText, byText } from '../../web/console/history/actor-text.ts';
import { CALL_KINDS, callLabel, callText, namesText, undoText } from '../../web/console/history/call-text.ts';
import { reasonOf } from '../../web/console/history/left-locations.ts';
import { actionsOf, directionOf, showChange } from '../../web/console/history/version-text.ts';

const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');

describe('a change of a location, in words', () => {
  const point = {
    latitude: 52.52,
    longitude: 13.405,
    provider: 'nominatim',
    precision: 'street',
    isChecked: false,
  };
  const changed = (after: object) =>
    showChange({ path: 'point', before: point, after: { ...point, ...after } });

  it('has the value before and after', () => {
    const before = { label: 'Seats', before: '4', after: '', text: null, points: null };
    expect(showChange({ path: 'properties.Seats', before: 4, after: null })).toEqual(before);
    expect(showChange({ path: 'properties.a.b', before: 'x', after: 'y' }).label).toBe('a.b');
    expect(showChange({ path: 'externalId', before: null, after: 'e1' })).toMatchObject({
      ...{ label: 'External ID', before: '', after: 'e1' },
    });
    expect(showChange({ path: 'properties.Text', before: 'a'.repeat(1_000), after: '' }).before).toHaveLength(
      301,
    );
  });

  it('says how far and where the point has moved, and who found it', () => {
    expect(changed({ latitude: 52.53, provider: 'manual', isChecked: true })).toMatchObject({
      text: 'moved 1.1 km north, placed by hand',
      points: [{ latitude: 52.52 }, { latitude: 52.53 }],
    });
    expect(changed({ precision: 'rooftop' }).text).toBe('found at the door by nominatim');
    expect(changed({ isChecked: true })).toMatchObject({ text: 'checked by a person', points: null });
    expect(changed({ label: 'another' }).text).toBe('found again');
  });

  it.each([
    ['north', 1, 0],
    ['north-east', 1, 1],
    ['east', 0, 1],
    ['south-east', -1, 1],
    ['south', -1, 0],
    ['south-west', -1, -1],
    ['west', 0, -1],
    ['north-west', 1, -1],
  ])('knows what is %s', (direction, latitude, longitude) => {
    expect(directionOf({ latitude: 0, longitude: 0 }, { latitude, longitude })).toBe(direction);
  });

  it('goes the short way over the antimeridian', () => {
    expect(directionOf({ latitude: 0, longitude: 179 }, { latitude: 0, longitude: -179 })).toBe('east');
  });
});

describe('the versions of a location', () => {
  const version = (number: number, operation: string | null, changes: object[] = []) => ({
    version: number,
    operation,
    changes: changes as { path: string; before: unknown; after: unknown }[],
  });

  it('tell deletions from restorations, also by undoing', () => {
    expect(
      actionsOf([
        version(7, 'undoChange'),
        version(6, 'deleteLocations'),
        version(5, 'updateLocation', [{ path: 'order' }]),
        version(4, 'restoreLocations'),
        version(3, 'undoChange'),
        version(2, 'geocode'),
        version(1, 'import'),
      ]),
    ).toEqual(['restored', 'deleted', 'changed', 'restored', 'deleted', 'changed', 'added']);
  });
});

describe('a call in the history of a map', () => {
  const none = { created: 0, updated: 0, moved: 0, deleted: 0 };

  it('is described by its counts', () => {
    expect(callText({ ...none, operation: 'upsertLocations', created: 3, updated: 1_200 })).toBe(
      '3 added, 1,200 changed',
    );
    expect(callText({ ...none, operation: 'undoChange', created: 2, deleted: 1 })).toBe(
      '2 restored, 1 deleted',
    );
    expect([callLabel('undoChange'), callLabel('updateLocation')]).toEqual(['Undo', null]);
  });

  it('names its first locations', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
    const known = new Map([...'abcd'].map((name, index) => [`${index}`, { name }]));
    const text = (count: number) => plain(namesText(ids(count), known));
    expect([text(1), text(3), text(5)]).toEqual(['a', 'a, b, c', 'a, b, c and 2 more']);
    // The server names no more.
    expect(text(100)).toBe('a, b, c and more');
    expect(namesText(['unknown'], known)).toBe('');
  });

  it('has one kind for each operation', () => {
    const operations = Object.values(CALL_KINDS).flatMap((kind) => [...kind] as string[]);
    expect(new Set(operations).size).toBe(operations.length);
  });

  it('says what undoing it does, and that deleting is final without a trash', () => {
    expect(undoText({ ...none, deleted: 2 }, true)).toBe('What it deleted comes back.');
    expect(undoText({ ...none, created: 1, moved: 1 }, true)).toBe(
      'What it added goes to the trash. What it moved goes back to its former place in the list.',
    );
    expect(undoText({ ...none, created: 1 }, false)).toMatch(/deleted for ever: this server keeps no trash/);
  });
});

describe('who made a change', () => {
  it.each([
    ['account', 'anna', 'by anna'],
    ['account', '', 'by a former account'],
    ['token', 'Laptop', 'by Laptop'],
    ['token', '', 'by a former token'],
    ['link', 'link:Volunteers', 'by the link Volunteers'],
    ['link', 'link:', 'by a former link'],
    ['link', 'a person', 'by a person'],
    ['operator', 'command line', 'by the command line'],
  ] as const)('%s %s', (kind, name, text) => {
    expect(plain(byText({ kind, name }))).toBe(text);
  });

  it.each([
    ['account', 'anna', 'anna'],
    ['token', 'Laptop', 'Laptop'],
    ['link', 'link:Volunteers', 'the link Volunteers'],
    ['link', 'link:', 'a former link'],
    ['operator', 'command line', 'the command line'],
  ] as const)('%s %s, to choose from a list', (kind, name, text) => {
    expect(plain(actorText({ kind, name }))).toBe(text);
  });
});

describe('what was left as it is', () => {
  const place = { name: 'Café', externalId: 'e1' };

  it('is named with the reason, and with the location that has the external id now', () => {
    const reason = (code: string, holder: typeof place | null = null) => plain(reasonOf(code, place, holder));
    expect(reason('EXTERNAL_ID_TAKEN', { name: 'Bar', externalId: 'e1' })).toBe(
      '<name>Café</name> cannot get its external ID e1 back: Bar has it now.',
    );
    expect(reason('EXTERNAL_ID_TAKEN')).toBe(
      '<name>Café</name> cannot get its external ID back: another location has it now.',
    );
    expect(reason('CONFLICT')).toBe('<name>Café</name> was changed since.');
    expect(reason('LOCATION_NOT_FOUND')).toBe('<name>Café</name> is no longer in the trash.');
    expect(reasonOf('CONFLICT', null, null)).toBe('<name>A location</name> was changed since.');
  });
});
