import { scaleOf } from '../../web/console/list/table-columns.ts';

describe('the columns of the table', () => {
  it.each([
    ['have their usual width if they fit', 800, 800, 1],
    ['have their usual width if there is more room', 800, 2_000, 1],
    ['shrink to no less than four fifths if they fit then', 1_000, 800, 0.8],
    ['keep their usual width if they would have to shrink further', 1_000, 799, 1],
  ])('%s', (_what, usual, room, scale) => {
    expect(scaleOf(usual, room)).toBe(scale);
  });
});
