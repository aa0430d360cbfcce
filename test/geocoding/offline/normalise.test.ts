import fc from 'fast-check';
import { fold, normaliseName, wordsOf } from '../../../src/geocoding/offline/normalise.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('normaliseName', () => {
  const spellings: readonly (readonly [string, readonly string[]])[] = [
    ['sao paulo', ['São Paulo', 'SAO PAULO', 'são-paulo', ' Sa\u0303o  Paulo ']],
    ['st petersburg', ['Saint Petersburg', 'St. Petersburg', 'Sankt-Petersburg']],
    ['laquila', ["L'Aquila", 'L’Aquila']],
    ['dc', ['D.C.', 'DC']],
    ['lodz', ['Łódź', 'LODZ']],
    ['strasse', ['Straße', 'STRASSE']],
    ['istanbul', ['İstanbul', 'ISTANBUL', 'istanbul']],
    ['αθηνα', ['Αθήνα', 'ΑΘΗΝΑ']],
    ['москва', ['МОСКВА', 'Москва']],
    ['القاهره', ['القاهرة', 'القَاهِرَة']],
    ['서울', ['서울', '서울'.normalize('NFD')]],
    ['台北市', ['臺北市', '台北市']],
    ['', ['', '!!!', '—']],
  ];
  for (const [key, names] of spellings) {
    it(`gives ${JSON.stringify(key)} for every spelling`, () => {
      expect(names.map(normaliseName)).toEqual(names.map(() => key));
    });
  }

  it('keeps vowel signs', () => {
    expect(normaliseName('दिल्ली')).toBe('दिल्ली');
    expect(normaliseName('เชียงใหม่')).toBe('เชียงใหม่'.normalize('NFKD').normalize('NFC'));
  });

  it('gives the words of wordsOf, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (name) => {
        const key = normaliseName(name);
        expect(key).toBe(
          wordsOf(fold(name))
            .map(({ text }) => text)
            .join(' '),
        );
      }),
    );
  });
});

describe('wordsOf', () => {
  it('marks words joined by a hyphen', () => {
    expect(wordsOf('berlin-mitte - nord')).toEqual([
      { text: 'berlin', joined: false },
      { text: 'mitte', joined: true },
      { text: 'nord', joined: false },
    ]);
  });
});
