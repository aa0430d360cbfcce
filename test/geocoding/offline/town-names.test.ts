import fc from 'fast-check';

import { offsetsOf } from '../../../src/geocoding/offline/format.ts';
import { fold } from '../../../src/geocoding/offline/normalise.ts';
import {
  countNames,
  encodeName,
  otherNames,
  TownNames,
  writeNames,
} from '../../../src/geocoding/offline/town-names.ts';
import { propertyRuns } from '../../support/scope.ts';

const textsOf = (names: readonly Buffer[]) => names.map((name) => name.toString('utf8', 1));

interface Names {
  readonly main: string;
  readonly others: readonly string[];
}

function namesOf(towns: readonly Names[]): TownNames {
  const encoded = towns.map(({ main, others }) => ({
    name: encodeName(main),
    otherNames: others.map(encodeName),
  }));
  const counts = { entryCount: 0, townCount: towns.length, regionCount: 0, countryCount: 0 };
  const header = { ...counts, ...countNames(encoded), totalBytes: 0, sourceBytes: 0 };
  const offsets = offsetsOf(header);
  const bytes = Buffer.alloc(offsets.end);
  writeNames(bytes, offsets, encoded);
  return new TownNames((offset, length) => bytes.subarray(offset, offset + length), offsets, header);
}

describe('the other names of a town', () => {
  const of = (main: string, ...alternates: string[]) => textsOf(otherNames(main, alternates));

  it('are those that a text finds which does not find the main name, in all their spellings', () => {
    const alternates = ['München', 'Munchen', 'Minga', 'MÜNCHEN', 'MUNICH', 'Muni', ''];
    expect(of('Munich', ...alternates)).toEqual(['MÜNCHEN', 'Munchen', 'Minga']);
  });
});

describe('the towns with a name that begins with a text', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'ä', 'b', 'B', ' ', 'م', '京'),
    minLength: 1,
    maxLength: 4,
  });
  const towns = fc.array(fc.record({ main: letters, others: fc.array(letters, { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 40,
  });

  it('are the same as by comparing all names, each town once, the largest first', () => {
    fc.assert(
      fc.property(towns, letters, (all, text) => {
        const prefix = fold(text);
        const begins = (name: string) => fold(name).startsWith(prefix);
        const likely = all.flatMap(({ main, others }, town) => {
          const wholeNames = others.filter((name) => fold(name) === prefix);
          return begins(main) || wholeNames.length > 0 ? [{ town, wholeNames }] : [];
        });
        const others = all.flatMap((names, town) =>
          names.others.some(begins) && !likely.some((match) => match.town === town)
            ? [{ town, wholeNames: [] }]
            : [],
        );
        expect(namesOf(all).startingWith(prefix)).toEqual({ likely, others });
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });
});
