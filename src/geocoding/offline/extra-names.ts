/** Corrections to GeoNames' names of towns. */

export interface ExtraNames {
  readonly geonameId: number;
  /** GeoNames' own name of the town, which a test compares with the id. */
  readonly town: string;
  readonly names: readonly string[];
}

/** Common names that GeoNames lacks. */
export const EXTRA_NAMES: readonly ExtraNames[] = [
  {
    geonameId: 3435910,
    town: 'Buenos Aires',
    names: ['CABA', 'Capital Federal', 'Ciudad Autónoma de Buenos Aires'],
  },
  { geonameId: 5128581, town: 'New York City', names: ['NYC'] },
  { geonameId: 4140963, town: 'Washington', names: ['Washington DC'] },
  { geonameId: 498817, town: 'Saint Petersburg', names: ['СПб'] },
  { geonameId: 1566083, town: 'Ho Chi Minh City', names: ['TP HCM', 'TPHCM', 'HCMC'] },
  {
    geonameId: 2925533,
    town: 'Frankfurt am Main',
    names: ['Frankfurt a.M.', 'Frankfurt a. M.', 'Frankfurt/M'],
  },
  { geonameId: 2925177, town: 'Freiburg', names: ['Freiburg i.Br.', 'Freiburg i. Br.'] },
  { geonameId: 2857807, town: 'Offenbach', names: ['Offenbach a.M.', 'Offenbach a. M.'] },
  {
    geonameId: 2953436,
    town: 'Bad Homburg vor der Höhe',
    names: ['Bad Homburg v.d.H.', 'Bad Homburg v. d. H.'],
  },
];

/** GeoNames' names of a town that mean another place in addresses: Bienne is Biel, and PA is Pennsylvania. */
export const MISTAKEN_NAMES: readonly ExtraNames[] = [
  { geonameId: 2761369, town: 'Vienna', names: ['Bienne'] },
  { geonameId: 1814906, town: 'Chongqing', names: ['Pa'] },
];

const byId = (list: readonly ExtraNames[]): ReadonlyMap<number, readonly string[]> =>
  new Map(list.map(({ geonameId, names }) => [geonameId, names]));

const EXTRA = byId(EXTRA_NAMES);
const MISTAKEN = byId(MISTAKEN_NAMES);

/** The alternate names of a town, corrected. */
export function correctedNames(geonameId: number, alternates: readonly string[]): readonly string[] {
  const mistaken = MISTAKEN.get(geonameId) ?? [];
  return [...alternates.filter((name) => !mistaken.includes(name)), ...(EXTRA.get(geonameId) ?? [])];
}
