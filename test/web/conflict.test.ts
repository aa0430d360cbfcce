/** Edits of a location that another user changed meanwhile. */

import { rebase } from '../../web/console/form/conflict.ts';

const FIELDS = ['Name', 'Kind', 'Note'].map((name) => ({ name, type: 'text', isPublic: true }) as const);
const BASE = { Name: 'A', Kind: 'Bar' };

describe('a form whose location was changed by another user', () => {
  it('takes their values if it changed none of them, without a conflict', () => {
    const texts = { Name: 'A', Kind: 'Bar', Note: 'mine' };
    expect(rebase(FIELDS, BASE, { Name: 'A', Kind: 'Café' }, texts)).toEqual({
      texts: { Name: 'A', Kind: 'Café', Note: 'mine' },
      conflicts: [],
    });
  });

  it('names the fields that both changed, and keeps its own values there', () => {
    const texts = { Name: 'Mine', Kind: 'Café', Note: '' };
    expect(rebase(FIELDS, BASE, { Name: 'Theirs', Kind: 'Café', Note: 'new' }, texts)).toEqual({
      texts: { Name: 'Mine', Kind: 'Café', Note: 'new' },
      conflicts: [{ name: 'Name', mine: 'Mine', theirs: 'Theirs' }],
    });
  });
});
