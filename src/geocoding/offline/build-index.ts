/** Builds the index of the offline gazetteer from GeoNames' dump of towns. */

import { createReadStream, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { countryDisplays, countryNames } from '../../domain/country-names.ts';
import { EntryList, writeEntries } from './entry-list.ts';
import { correctedNames } from './extra-names.ts';
import {
  EntryKind,
  REGION_BYTES,
  TOWN_BYTES,
  TownKind,
  hashDivision,
  offsetsOf,
  writeHeader,
} from './format.ts';
import { writeGrid } from './grid.ts';
import { fold, nameKey, normaliseName } from './normalise.ts';
import { isRegionCode, regionDefinitions } from './regions.ts';
import { sourcePath } from './source-path.ts';
import type { NamedTown } from './town-names.ts';
import { countNames, encodeName, otherNames, writeNames } from './town-names.ts';

/** Holds no strings: a substring of a line would keep the whole line in memory. */
interface SourceTown extends NamedTown {
  readonly id: number;
  /** Degrees × 100,000; integers, because the dump has five decimals. */
  readonly latitude: number;
  readonly longitude: number;
  readonly population: number;
  readonly country: number;
  readonly kind: TownKind;
  /** Hashes of the divisions' codes. */
  readonly admin1: number;
  readonly admin2: number;
}

const KINDS: Readonly<Record<string, TownKind>> = {
  PPLX: TownKind.section,
  PPLA: TownKind.regionSeat,
  PPLA2: TownKind.districtSeat,
  PPLC: TownKind.capital,
};

// Abandoned, destroyed and historical places do not occur in addresses.
const FORMER_PLACES: ReadonlySet<string> = new Set(['PPLQ', 'PPLW', 'PPLH', 'PPLCH']);

// Transliterations made for search engines (`twkyw`) and airport codes (`LIS`) are not names that people write.
const MACHINE_NAME = /^(?:[a-z'`\- ]+|[A-Z]{2,3})$/;

const MAXIMUM_NAME_LENGTH = 80;

/**
 * Inhabitants of a town whose other names are suggested too. Local names differ from GeoNames' main name where English
 * has a name of its own, as for Munich: seldom for smaller towns, which would more than double these names.
 */
const SUGGESTED_BY_OTHER_NAMES = 15_000;

/** Data collected while the dump is read. */
class SourceData {
  readonly entries = new EntryList();
  readonly towns: SourceTown[] = [];
  /** Country numbers by ISO code. */
  readonly countries = new Map<string, number>();
  /** The largest town of each name that identifies a region, by `CC:name`; undefined until found. */
  readonly seats = new Map<string, SourceTown | undefined>();
  /** One town of each Italian province, by the province's two letters. */
  readonly italianProvinces = new Map<string, SourceTown>();

  constructor() {
    for (const { country, seat } of regionDefinitions())
      if (seat !== null) this.seats.set(`${country}:${seat}`, undefined);
  }

  countryNumber(code: string): number {
    let number = this.countries.get(code);
    if (number === undefined) this.countries.set(code, (number = this.countries.size));
    return number;
  }

  /** @param columns the columns of one line, in the order of GeoNames' readme.txt */
  add(columns: readonly string[]): void {
    const [
      id = '',
      name = '',
      asciiName = '',
      alternates = '',
      latitude,
      longitude,
      ,
      feature = '',
      code = '',
    ] = columns;
    if (!/^[A-Z]{2}$/.test(code) || FORMER_PLACES.has(feature)) return;
    const admin1 = columns[10] ?? '';
    const admin2 = columns[11] ?? '';
    const population = Math.min(Number(columns[14]) || 0, 0xffffffff);
    const others = correctedNames(
      Number(id),
      alternates.split(',').filter((alternate) => !MACHINE_NAME.test(alternate)),
    );
    const town: SourceTown = {
      id: Number(id),
      latitude: Math.round(Number(latitude) * 1e5),
      longitude: Math.round(Number(longitude) * 1e5),
      population,
      country: this.countryNumber(code),
      kind: KINDS[feature] ?? TownKind.town,
      admin1: hashDivision(admin1),
      admin2: hashDivision(`${admin1}.${admin2}`),
      name: encodeName(name),
      otherNames: population < SUGGESTED_BY_OTHER_NAMES ? [] : otherNames(name, others),
    };
    const ordinal = this.towns.push(town) - 1;
    for (const own of [name, asciiName]) {
      const key = `${code}:${own}`;
      if (this.seats.has(key) && (this.seats.get(key)?.population ?? -1) < town.population)
        this.seats.set(key, town);
    }
    if (code === 'IT' && /^[A-Z]{2}$/.test(admin2)) this.italianProvinces.set(admin2, town);
    addNames([name, asciiName], others, town.country, ordinal, this.entries);
  }
}

async function readSource(path: string): Promise<SourceData> {
  const source = new SourceData();
  const lines = createInterface({
    input: createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 }),
  });
  for await (const line of lines) source.add(line.split('\t'));
  return source;
}

function addNames(
  own: readonly string[],
  alternates: readonly string[],
  country: number,
  ordinal: number,
  entries: EntryList,
): void {
  const seen = new Set<string>();
  const addAll = (names: readonly string[], kind: EntryKind): void => {
    // Folding them in one text is faster, and keeps newlines.
    for (const name of fold(names.join('\n')).split('\n')) {
      const key = name.length > MAXIMUM_NAME_LENGTH ? '' : nameKey(name);
      if (key === '' || seen.has(key)) continue;
      seen.add(key);
      entries.add(key, kind, country, ordinal);
    }
  };
  // `Donostia / San Sebastián` is two names, and `Halle (Saale)` is Halle.
  const forms = own.flatMap((name) =>
    /[/(]/.test(name) ? [name, ...name.split(' / '), name.replace(/ \(.*\)$/, '')] : [name],
  );
  addAll(forms, EntryKind.primary);
  if (alternates.length > 0) addAll(alternates, EntryKind.alternate);
}

/** Renumbers the towns in the entries, most populous first, and returns them in that order. */
function rankTowns(towns: SourceTown[], entries: EntryList): SourceTown[] {
  const order = towns.map((_, ordinal) => ordinal);
  const population = (ordinal: number): number => towns[ordinal]?.population ?? 0;
  order.sort((left, right) => population(right) - population(left) || left - right);
  const ranks = new Uint32Array(towns.length);
  order.forEach((ordinal, rank) => (ranks[ordinal] = rank));
  for (let index = 0; index < entries.count; index += 1) {
    const payload = entries.payloads[index] ?? 0;
    entries.payloads[index] = ((payload & 0xffc00000) | (ranks[payload & 0x3fffff] ?? 0)) >>> 0;
  }
  return order.flatMap((ordinal) => towns[ordinal] ?? []);
}

function addCountries(countries: Map<string, number>, entries: EntryList): void {
  const displays = countryDisplays();
  for (const [code, index] of countries) {
    const names = new Set([...countryNames(code, displays)].map(normaliseName));
    names.delete('');
    for (const name of names) entries.add(name, EntryKind.country, index, 0);
    if (!names.has(code.toLowerCase())) entries.add(code.toLowerCase(), EntryKind.country, index, 1);
  }
}

/** @returns the records of the regions, in the order of their numbers in the entries */
function addRegions(source: SourceData): Buffer {
  const records: Buffer[] = [];
  const add = (country: number, admin1: number, admin2: number, names: readonly string[]): void => {
    const record = Buffer.alloc(REGION_BYTES);
    record.writeUInt32LE(country, 0);
    record.writeUInt32LE(admin1, 4);
    record.writeUInt32LE(admin2, 8);
    for (const name of names) {
      const value = (records.length << 1) | (isRegionCode(name) ? 1 : 0);
      source.entries.add(normaliseName(name), EntryKind.region, country, value);
    }
    records.push(record);
  };
  for (const region of regionDefinitions()) {
    const country = source.countries.get(region.country);
    const seat = source.seats.get(`${region.country}:${region.seat}`);
    const admin1 = region.code === null ? seat?.admin1 : hashDivision(region.code);
    if (country === undefined || admin1 === undefined) continue;
    add(country, admin1, region.level === 2 ? (seat?.admin2 ?? 0) : 0, region.names);
  }
  // Italian addresses have the province's code after the town (`Pompei NA`), which GeoNames uses too.
  for (const [code, town] of [...source.italianProvinces].sort(([left], [right]) =>
    left < right ? -1 : 1,
  )) {
    add(town.country, town.admin1, town.admin2, [code]);
  }
  return Buffer.concat(records);
}

function writeTown(town: SourceTown, target: Buffer, offset: number): void {
  target.writeUInt32LE(town.id, offset);
  target.writeInt32LE(town.latitude, offset + 4);
  target.writeInt32LE(town.longitude, offset + 8);
  target.writeUInt32LE(town.population, offset + 12);
  target.writeUInt16LE(town.country, offset + 16);
  target.writeUInt8(town.kind, offset + 18);
  target.writeUInt32LE(town.admin1, offset + 20);
  target.writeUInt32LE(town.admin2, offset + 24);
}

/** Builds the index (about 20 MB) in memory, and streams the source. */
export async function buildGazetteerBytes(path: string = sourcePath()): Promise<Buffer> {
  const source = await readSource(path);
  const { entries } = source;
  const towns = rankTowns(source.towns, entries);
  addCountries(source.countries, entries);
  const regions = addRegions(source);
  const counts = {
    entryCount: entries.count,
    townCount: towns.length,
    regionCount: regions.length / REGION_BYTES,
    countryCount: source.countries.size,
    ...countNames(towns),
  };
  const offsets = offsetsOf(counts);
  const bytes = Buffer.alloc(offsets.end);
  writeHeader({ ...counts, totalBytes: offsets.end, sourceBytes: statSync(path).size }).copy(bytes);
  writeEntries(entries, bytes.subarray(offsets.directory), bytes.subarray(offsets.entries, offsets.towns));
  towns.forEach((town, rank) => writeTown(town, bytes, offsets.towns + rank * TOWN_BYTES));
  regions.copy(bytes, offsets.regions);
  bytes.write([...source.countries.keys()].join(''), offsets.countries, 'latin1');
  writeNames(bytes, offsets, towns);
  const points = towns.map(({ latitude, longitude }) => ({
    latitude: latitude / 1e5,
    longitude: longitude / 1e5,
  }));
  writeGrid(bytes, offsets, points);
  return bytes;
}

/** Writes an index atomically. */
export function writeGazetteer(outputPath: string, bytes: Buffer): void {
  mkdirSync(dirname(outputPath), { recursive: true });
  const temporary = `${outputPath}.${process.pid}-${Date.now().toString(36)}.tmp`;
  try {
    writeFileSync(temporary, bytes);
    renameSync(temporary, outputPath);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** For the build script: builds the index from the installed package and writes it. */
export async function buildGazetteer(outputPath: string): Promise<void> {
  writeGazetteer(outputPath, await buildGazetteerBytes());
}
