/** Fields may have any name, including those of inherited object members. */

import { rebase } from '../../web/console/form/conflict.ts';
import { changesOf } from '../../web/console/common/field-inputs.ts';
import { categoryOf } from '../../src/domain/categories.ts';
import { valueOf } from '../../web/shared/properties.ts';

const NAMES = ['constructor', 'valueOf', 'toString', '__proto__'];
const FIELDS = NAMES.map((name) => ({ name, type: 'text', isPublic: true }) as const);

/** As received from the server: `__proto__` is a key like any other. */
const propertiesOf = (text: string) =>
  JSON.parse(`{${NAMES.map((name) => `"${name}":"${text}"`).join()}}`) as Record<string, string>;

describe('a field named like a member of every object', () => {
  it('has no value if the location has none', () => {
    for (const name of NAMES) {
      expect(valueOf({}, name)).toBeUndefined();
      expect(valueOf(undefined, name)).toBeUndefined();
      expect(categoryOf({}, name)).toBe('');
    }
  });

  it('has the location’s value', () => {
    for (const name of NAMES) {
      expect(valueOf(propertiesOf('a'), name)).toBe('a');
      expect(categoryOf(propertiesOf('a'), name)).toBe('a');
    }
  });

  it('is saved from a form like any other', () => {
    expect(changesOf(FIELDS, {}, propertiesOf(''))).toEqual({ fields: {}, unset: [] });
    const { fields, unset } = changesOf(FIELDS, {}, propertiesOf('typed'));
    expect(JSON.stringify(fields)).toBe(JSON.stringify(propertiesOf('typed')));
    expect(unset).toEqual([]);
    expect(changesOf(FIELDS, propertiesOf('a'), propertiesOf(''))).toEqual({ fields: {}, unset: NAMES });
  });

  it('is a conflict only if both changed it', () => {
    const untouched = rebase(FIELDS, {}, propertiesOf('theirs'), propertiesOf(''));
    expect(untouched).toEqual({ texts: propertiesOf('theirs'), conflicts: [] });
    const { conflicts } = rebase(FIELDS, {}, propertiesOf('theirs'), propertiesOf('mine'));
    expect(conflicts).toEqual(NAMES.map((name) => ({ name, mine: 'mine', theirs: 'theirs' })));
  });
});
