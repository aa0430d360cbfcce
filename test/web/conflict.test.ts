/** What the console makes of a location that somebody else changed meanwhile. */

import { rebase } from '../../web/console/form/conflict.ts';

const FIELDS = ['Name', 'Kind', 'Note'].map((name) => ({ name, type: 'text', isPublic: true }) as const);
const BASE = { Name: 'A', Kind: 'Bar' };

describe('a form whose location was changed by somebody else', () => {
  it('takes their values where it changed nothing, and has no conflict then', () => {
    const texts = { Name: 'A', Kind: 'Bar', Note: 'mine' };
    expect(rebase(FIELDS, BASE, { Name: 'A', Kind: 'Café' }, texts)).toEqual({
      texts: { Name: 'A', Kind: 'Café', Note: 'mine' },
      conflicts: [],
    });
  });

  it('names what both changed, and keeps its own there', () => {
    const texts = { Name: 'Mine', Kind: 'Café', Note: '' };
    expect(rebase(FIELDS, BASE, { Name: 'Theirs', Kind: 'Café', Note: 'new' }, texts)).toEqual({
      texts: { Name: 'Mine', Kind: 'Café', Note: 'new' },
      conflicts: [{ name: 'Name', mine: 'Mine', theirs: 'Theirs' }],
    });
  });
});
