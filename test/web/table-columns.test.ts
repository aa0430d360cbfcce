import { scaleOf } from '../../web/console/list/table-columns.ts';

describe('the columns of the table', () => {
  it.each([
    ['are as wide as usual where they fit', 800, 800, 1],
    ['are as wide as usual where there is more room', 800, 2_000, 1],
    ['become narrower, down to four fifths, where they fit then', 1_000, 800, 0.8],
    ['stay as they are where they would become narrower still', 1_000, 799, 1],
  ])('%s', (_what, usual, room, scale) => {
    expect(scaleOf(usual, room)).toBe(scale);
  });
});
