/** The colours of pins in KML exports are those of the map's page. */

import fc from 'fast-check';

import { CATEGORY_COLORS, categoryOf, MAX_COUNTED } from '../../../src/domain/categories.ts';
import { withAssignedColors } from '../../../src/transfer/kml/category-styles.ts';
import { Categories } from '../../../web/shared/map/categories.ts';
import { styledMarksOf } from '../../../web/shared/map/styled-marks.ts';
import { CATEGORY_MARKS } from '../../../web/shared/map/category-marks.ts';

const OWN = '#123456';

/** Cut anywhere between lines. */
async function* inChunks(
  lines: readonly string[],
  size: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < lines.length; start += size)
    yield Buffer.from(
      lines
        .slice(start, start + size)
        .map((line) => `${line}\n`)
        .join(''),
    );
}

function colorsOf(kinds: readonly unknown[], own: readonly string[], size = 7) {
  const lines = kinds.map((Kind) => JSON.stringify({ Kind }));
  const colors = own.map((category) => [category, OWN] as const);
  return withAssignedColors({ field: 'Kind', colors }, inChunks(lines, size));
}

/** The colours in the page's legend. */
function onPage(kinds: readonly unknown[], own: readonly string[]) {
  const texts = kinds.map((Kind, index) => [String(index), categoryOf({ Kind }, 'Kind')] as const);
  const colored = new Set(own);
  const { marks } = new Categories(new Map(texts), {
    ...{ labels: new Map(), merge: (counts) => counts, marksOfLargeMap: () => null },
    marksOf: (counts) => styledMarksOf(counts, { styled: [], colored, markOf: (_, assigned) => assigned }),
  });
  return [...marks].map(([category, mark]) => [category, CATEGORY_COLORS[CATEGORY_MARKS.indexOf(mark)]]);
}

describe('the colours of categories in KML', () => {
  it('are those that the page assigns', async () => {
    const kind = fc.oneof(
      fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', ' a ', '', 'é', 'z'.repeat(201)),
      fc.constantFrom(null, 5, true, ['a'], undefined),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(kind, { maxLength: 60 }),
        fc.uniqueArray(fc.constantFrom('a', 'b', '5', 'unused'), { maxLength: 3 }),
        fc.integer({ min: 1, max: 70 }),
        async (kinds, own, size) => {
          const { colors } = await colorsOf(kinds, own, size);
          expect(colors.slice(0, own.length)).toEqual(own.map((category) => [category, OWN]));
          expect(colors.slice(own.length)).toEqual(onPage(kinds, own));
        },
      ),
    );
  });

  it('are assigned to at most 100 locations, of which no more are read', async () => {
    const kinds = (count: number) => Array.from({ length: count }, (_, index) => `Kind ${index % 2}`);
    expect((await colorsOf(kinds(MAX_COUNTED), [])).colors).toHaveLength(2);
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        yield Buffer.from(`{"Kind":"${read % 2}"}\n`);
      }
    }
    const { colors } = await withAssignedColors({ field: 'Kind', colors: [['cafe', OWN]] }, endless());
    expect([colors, read]).toEqual([[['cafe', OWN]], MAX_COUNTED + 1]);
  });
});
