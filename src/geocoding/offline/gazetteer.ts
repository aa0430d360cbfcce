/** Reads the index of towns, countries and regions by name. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  BUCKETS,
  ENTRY_BYTES,
  EntryKind,
  HEADER_BYTES,
  REGION_BYTES,
  TOWN_BYTES,
  hashName,
  offsetsOf,
  readHeader,
} from './format.ts';
import type { Point } from '../../domain/filter/distance.ts';
import { distanceBetween } from '../../domain/filter/distance.ts';
import type { Header, Offsets, ReadBytes, TownKind } from './format.ts';
import { nearestTown } from './grid.ts';
import { fold } from './normalise.ts';
import { TownNames } from './town-names.ts';

export interface TownName {
  /** The town's number. A lower number is a larger town. */
  readonly rank: number;
  readonly country: number;
  /** True for GeoNames' main name of the town, false for an alternate name. */
  readonly primary: boolean;
}

/** A country or region that a name means. */
export interface AreaName {
  /** The country's number. */
  readonly country: number;
  /** Hash of the division's code; 0 for the whole country. */
  readonly admin1: number;
  /** Hash of the division's code within `admin1`; 0 for none. */
  readonly admin2: number;
  /** True for a code of two or three letters, false for a name. */
  readonly code: boolean;
}

/** Everything that a phrase may mean. */
export interface LookupResult {
  /** Largest first. */
  readonly towns: readonly TownName[];
  readonly countries: readonly AreaName[];
  readonly regions: readonly AreaName[];
}

export interface Town {
  readonly rank: number;
  readonly geonameId: number;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  readonly population: number;
  readonly country: number;
  readonly kind: TownKind;
  readonly admin1: number;
  readonly admin2: number;
}

/** Most other names are of languages that few people write: as Lisàndria, Alexandria comes after Lisbon. */
const OTHER_NAME_FACTOR = 100;

const NOTHING: LookupResult = { towns: [], countries: [], regions: [] };

/**
 * Reads the index a few hundred bytes at a time: of its 20 MB, only the directory (256 KiB) stays in memory. Reads are
 * synchronous, because each takes microseconds from the page cache of the system.
 */
export class Gazetteer {
  readonly #read: ReadBytes;
  readonly #offsets: Offsets;
  readonly #directory: Uint32Array;
  readonly #countries: readonly string[];
  readonly #regions: Buffer;
  readonly #names: TownNames;
  /** The number of towns. */
  readonly size: number;

  private constructor(header: Header, read: ReadBytes) {
    this.#read = read;
    this.#offsets = offsetsOf(header);
    const directory = read(this.#offsets.directory, (BUCKETS + 1) * 4);
    this.#directory = Uint32Array.from({ length: BUCKETS + 1 }, (_, bucket) =>
      directory.readUInt32LE(bucket * 4),
    );
    const codes = read(this.#offsets.countries, header.countryCount * 2).toString('latin1');
    this.#countries = codes.match(/../g) ?? [];
    this.#regions = Buffer.from(read(this.#offsets.regions, header.regionCount * REGION_BYTES));
    this.size = header.townCount;
    this.#names = new TownNames(read, this.#offsets, header);
  }

  /**
   * Opens an index file and never closes it.
   *
   * @returns null if the file is missing, truncated, of another version, or built from a source of another size
   */
  static openFile(path: string, sourceBytes: number | null): Gazetteer | null {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch {
      return null;
    }
    let scratch = Buffer.allocUnsafe(4096);
    const read: ReadBytes = (offset, length) => {
      if (scratch.length < length) scratch = Buffer.allocUnsafe(length);
      let done = 0;
      while (done < length) {
        const bytes = readSync(file, scratch, done, length - done, offset + done);
        if (bytes === 0) throw new Error(`The gazetteer ${path} ends early.`);
        done += bytes;
      }
      return scratch.subarray(0, length);
    };
    try {
      const size = fstatSync(file).size;
      const header = size < HEADER_BYTES ? null : readHeader(Buffer.from(read(0, HEADER_BYTES)));
      if (header?.totalBytes === size) {
        if (sourceBytes === null || header.sourceBytes === sourceBytes) {
          const gazetteer = new Gazetteer(header, read);
          scratch = Buffer.allocUnsafe(4096);
          return gazetteer;
        }
      }
    } catch {
      // An unreadable file counts as missing: the index is rebuilt.
    }
    closeSync(file);
    return null;
  }

  /** Uses an index in memory, if no file could be written. */
  static fromBytes(bytes: Buffer): Gazetteer {
    const header = readHeader(bytes);
    if (header?.totalBytes !== bytes.length) throw new Error('Not a gazetteer index.');
    return new Gazetteer(header, (offset, length) => bytes.subarray(offset, offset + length));
  }

  /** @param name normalised by `normaliseName` */
  lookup(name: string): LookupResult {
    const { bucket, key } = hashName(name);
    const start = this.#directory[bucket] ?? 0;
    const count = (this.#directory[bucket + 1] ?? 0) - start;
    if (count === 0) return NOTHING;
    const bytes = this.#read(this.#offsets.entries + start * ENTRY_BYTES, count * ENTRY_BYTES);
    let towns: TownName[] | undefined;
    let countries: AreaName[] | undefined;
    let regions: AreaName[] | undefined;
    for (let offset = 0; offset < bytes.length; offset += ENTRY_BYTES) {
      if (bytes.readUInt32LE(offset) !== key) continue;
      const payload = bytes.readUInt32LE(offset + 4);
      const kind = payload >>> 30;
      const country = (payload >>> 22) & 0xff;
      const value = payload & 0x3fffff;
      if (kind === EntryKind.country) {
        (countries ??= []).push({ country, admin1: 0, admin2: 0, code: value === 1 });
      } else if (kind === EntryKind.region) {
        (regions ??= []).push(this.#region(value));
      } else {
        (towns ??= []).push({ rank: value, country, primary: kind === EntryKind.primary });
      }
    }
    if (towns === undefined && countries === undefined && regions === undefined) return NOTHING;
    towns?.sort((left, right) => left.rank - right.rank);
    return { towns: towns ?? [], countries: countries ?? [], regions: regions ?? [] };
  }

  town(rank: number): Town {
    const bytes = this.#read(this.#offsets.towns + rank * TOWN_BYTES, TOWN_BYTES);
    return {
      rank,
      geonameId: bytes.readUInt32LE(0),
      // Dividing by a power of ten gives the same double as parsing the dump's decimal.
      latitude: bytes.readInt32LE(4) / 1e5,
      longitude: bytes.readInt32LE(8) / 1e5,
      population: bytes.readUInt32LE(12),
      country: bytes.readUInt16LE(16),
      kind: bytes.readUInt8(18) as TownKind,
      admin1: bytes.readUInt32LE(20),
      admin2: bytes.readUInt32LE(24),
    };
  }

  /** GeoNames' main name. */
  nameOf({ rank }: Town): string {
    return this.#names.nameOf(rank);
  }

  /** The towns with a name that begins with a text, likeliest first, with their main name or the one that is the text. */
  *startingWith(text: string): Iterable<{ readonly town: Town; readonly name: string }> {
    const { likely, others } = this.#names.startingWith(fold(text));
    for (let nextLikely = 0, nextOther = 0; ;) {
      const [match, other] = [likely[nextLikely], others[nextOther]].map(
        (each) => each && { ...each, town: this.town(each.town) },
      );
      const isLikely =
        match !== undefined &&
        (other === undefined || match.town.population >= other.town.population / OTHER_NAME_FACTOR);
      const found = isLikely ? match : other;
      if (found === undefined) return;
      if (isLikely) nextLikely += 1;
      else nextOther += 1;
      const { town, wholeNames } = found;
      const typed = wholeNames.find((name) => name.toLowerCase() === text.toLowerCase());
      yield { town, name: typed ?? wholeNames[0] ?? this.nameOf(town) };
    }
  }

  /** The nearest town to a point and its distance in metres; null if there is none within `metres`. */
  nearest(point: Point, metres: number): { readonly town: Town; readonly distance: number } | null {
    // The grid's points are two metres off.
    const found = nearestTown(this.#read, this.#offsets, point, metres);
    if (found === null) return null;
    const town = this.town(found.town);
    return { town, distance: distanceBetween(point, town) };
  }

  /** ISO 3166-1 alpha-2. */
  countryCode(country: number): string {
    return this.#countries[country] ?? '';
  }

  #region(value: number): AreaName {
    const offset = (value >>> 1) * REGION_BYTES;
    return {
      country: this.#regions.readUInt32LE(offset),
      admin1: this.#regions.readUInt32LE(offset + 4),
      admin2: this.#regions.readUInt32LE(offset + 8),
      code: (value & 1) === 1,
    };
  }
}
