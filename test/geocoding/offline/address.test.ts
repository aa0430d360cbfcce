import { parseAddress } from '../../../src/geocoding/offline/address.ts';

/** The runs that may name a town: those without a street. */
function townRuns(address: string): string[] {
  return parseAddress(address)
    .runs.filter((run) => !run.street)
    .map((run) => run.tokens.map((token) => token.text).join(' '));
}

describe('parseAddress', () => {
  const examples: readonly (readonly [string, readonly string[]])[] = [
    ['Rua Augusta 25, 1100-053 Lisboa, Portugal', ['lisboa', 'portugal']],
    ['221B Baker Street, London NW1', ['london']],
    ['10 Downing Street London', ['london']],
    ['Invalidenstraße 50-51, 10557 Berlin', ['berlin']],
    ['Dam 1 Amsterdam', ['dam', 'amsterdam']],
    ['Museumstraat 1, 1071 XX Amsterdam', ['amsterdam']],
    ['1600 Pennsylvania Avenue NW, Washington, DC 20500', ['washington', 'dc']],
    ['Budapest, Andrássy út 60, 1062', ['budapest']],
    ['ул. Волхонка, д. 12, г. Москва', ['д', 'г москва']],
    ['C/ Santa Isabel, 52, 28012 Madrid', ['madrid']],
    ['Salt Lake City, UT 84101', ['salt lake city', 'ut']],
    ['St Ives, Cornwall', ['st ives', 'cornwall']],
    ['D-10115 Berlin', ['berlin']],
  ];
  for (const [address, runs] of examples) {
    it(`finds what may be a town in ${address}`, () => {
      expect(townRuns(address)).toEqual(runs);
    });
  }

  it('adds the digits of a postcode in two groups', () => {
    const [run] = parseAddress('115 21 Stockholm').runs;
    expect(run?.digitsBefore).toBe(5);
  });

  it('derives countries from the form of a postcode', () => {
    expect(parseAddress('London SW1A 1AA').postcodeCountries).toEqual(['GB']);
    expect(parseAddress('Toronto M5S 2C6').postcodeCountries).toContain('CA');
    expect(parseAddress('1100-053 Lisboa').postcodeCountries).toEqual(['PT']);
    expect(parseAddress('D-10115 Berlin').postcodeCountries).toEqual(['DE']);
  });

  it('reads a name across a bracket or a slash', () => {
    const combined = parseAddress('15230 Frankfurt (Oder)').runs.find((run) => run.boundary > 0);
    expect(combined?.tokens.map((token) => token.text)).toEqual(['frankfurt', 'oder']);
  });

  it('reads a name and its translation across a dash, but no name that spans it', () => {
    const combined = parseAddress('39100 Bolzano - Bozen').runs.find((run) => run.boundary > 0);
    expect(combined?.tokens.map((token) => token.text)).toEqual(['bolzano', 'bozen']);
    expect(combined?.boundary).toBe(1);
    expect(combined?.spans).toBe(false);
  });

  const districts: readonly (readonly [string, string])[] = [
    ['12 Rue de Rivoli, Paris 1er', '1er'],
    ['Tour Eiffel Paris 7e', '7e'],
    ['Paris 18 ème arrondissement', '18 eme arrondissement'],
    ['Budapest IX. ker., Ráday utca 5', 'ix ker'],
    ['Zürich Kreis 4', 'kreis 4'],
    ['Praha 1 - Karlín', '1'],
  ];
  for (const [address, district] of districts) {
    it(`recognizes the district in ${address}`, () => {
      const run = parseAddress(address).runs.find((found) => found.district.length > 0);
      expect(run?.tokens.length).toBe(1);
      expect(run?.district.map((token) => token.text).join(' ')).toBe(district);
    });
  }

  for (const address of [
    'Rue de Paris 3e',
    'Gare de Lyon 12e',
    'Paris 21e',
    'Lyon X',
    'Paris 12',
    'Paris 3e étage',
    'Vienna VA 22180',
    'Henri IV',
  ]) {
    it(`recognizes no district in ${address}`, () => {
      expect(parseAddress(address).runs.every((run) => run.district.length === 0)).toBe(true);
    });
  }

  it('reads only the ends of a long text', () => {
    const { runs } = parseAddress('word '.repeat(13_000));
    expect(runs.reduce((count, run) => count + run.tokens.length, 0)).toBeLessThan(300);
  });
});
