/**
 * The layout of the index file, little-endian.
 *
 * - header: 64 bytes, uint32 in the order of `writeHeader`
 * - directory: BUCKETS + 1 uint32, the index of the first entry of each bucket
 * - entries: 8 bytes each: uint32 key, uint32 payload (2 bits kind, 8 bits country, 22 bits value)
 * - towns: TOWN_BYTES each, most populous first, so that a lower number is a larger town
 * - regions: REGION_BYTES each: uint32 country, uint32 hash of `admin1` or 0, uint32 hash of `admin1.admin2` or 0
 * - countries: 2 ASCII bytes each
 * - names of the towns in their order (town-names.ts): a byte with the length, and UTF-8
 * - name samples: uint32, the offset of every NAMES_PER_SAMPLE-th name in the names
 * - towns by name: uint32, the towns' numbers in the order of their folded names
 * - other names of larger towns, in the order of their folded forms: as the names, with samples
 * - towns of the other names: uint32 each
 * - grid directory (grid.ts): GRID_CELLS + 1 uint32, the index of the first town of each cell
 * - grid: GRID_BYTES for each town, by cell: uint32 number, uint16 position from south and from west within the cell
 */
/** Reads bytes of the index. The next call may reuse the buffer. */
export type ReadBytes = (offset: number, length: number) => Buffer;

export const MAGIC = 0x5a474c4d;
/** Increment it with every change of layout or normalisation: an index of another version is rebuilt. */
export const VERSION = 4;
export const HEADER_BYTES = 64;
export const BUCKETS = 1 << 16;
export const ENTRY_BYTES = 8;
export const TOWN_BYTES = 28;
export const REGION_BYTES = 12;
export const NAMES_PER_SAMPLE = 16;
/** Cells of one degree, by row from south to north, and from west to east in a row. */
export const GRID_CELLS = 180 * 360;
export const GRID_BYTES = 8;

/** What the name of an entry means. */
export const EntryKind = { alternate: 0, primary: 1, country: 2, region: 3 } as const;
export type EntryKind = (typeof EntryKind)[keyof typeof EntryKind];

/** The feature codes of GeoNames that matter here. */
export const TownKind = { town: 0, section: 1, regionSeat: 2, districtSeat: 3, capital: 4 } as const;
export type TownKind = (typeof TownKind)[keyof typeof TownKind];

export interface Header {
  readonly totalBytes: number;
  /** Size of the source of the index. Another size means another edition. */
  readonly sourceBytes: number;
  readonly entryCount: number;
  readonly townCount: number;
  readonly regionCount: number;
  readonly countryCount: number;
  readonly nameBytes: number;
  readonly otherNameCount: number;
  readonly otherNameBytes: number;
}

export function writeHeader(header: Header): Buffer {
  const buffer = Buffer.alloc(HEADER_BYTES);
  const fields = [
    MAGIC,
    VERSION,
    header.totalBytes,
    header.sourceBytes,
    header.entryCount,
    header.townCount,
    header.regionCount,
    header.countryCount,
    header.nameBytes,
    header.otherNameCount,
    header.otherNameBytes,
  ];
  fields.forEach((field, index) => buffer.writeUInt32LE(field, index * 4));
  return buffer;
}

/** Null if the bytes are not the start of an index of this version. */
export function readHeader(buffer: Buffer): Header | null {
  if (buffer.length < HEADER_BYTES) return null;
  if (buffer.readUInt32LE(0) !== MAGIC || buffer.readUInt32LE(4) !== VERSION) return null;
  const header: Header = {
    totalBytes: buffer.readUInt32LE(8),
    sourceBytes: buffer.readUInt32LE(12),
    entryCount: buffer.readUInt32LE(16),
    townCount: buffer.readUInt32LE(20),
    regionCount: buffer.readUInt32LE(24),
    countryCount: buffer.readUInt32LE(28),
    nameBytes: buffer.readUInt32LE(32),
    otherNameCount: buffer.readUInt32LE(36),
    otherNameBytes: buffer.readUInt32LE(40),
  };
  return header.totalBytes === offsetsOf(header).end ? header : null;
}

export interface Offsets {
  readonly directory: number;
  readonly entries: number;
  readonly towns: number;
  readonly regions: number;
  readonly countries: number;
  readonly names: number;
  readonly nameSamples: number;
  readonly townsByName: number;
  readonly otherNames: number;
  readonly otherNameSamples: number;
  readonly townsOfOtherNames: number;
  readonly gridDirectory: number;
  readonly grid: number;
  readonly end: number;
}

export function offsetsOf(header: Omit<Header, 'totalBytes' | 'sourceBytes'>): Offsets {
  const directory = HEADER_BYTES;
  const entries = directory + (BUCKETS + 1) * 4;
  const towns = entries + header.entryCount * ENTRY_BYTES;
  const regions = towns + header.townCount * TOWN_BYTES;
  const countries = regions + header.regionCount * REGION_BYTES;
  const names = countries + header.countryCount * 2;
  const nameSamples = names + header.nameBytes;
  const townsByName = nameSamples + Math.ceil(header.townCount / NAMES_PER_SAMPLE) * 4;
  const otherNames = townsByName + header.townCount * 4;
  const otherNameSamples = otherNames + header.otherNameBytes;
  const townsOfOtherNames = otherNameSamples + Math.ceil(header.otherNameCount / NAMES_PER_SAMPLE) * 4;
  const gridDirectory = townsOfOtherNames + header.otherNameCount * 4;
  const grid = gridDirectory + (GRID_CELLS + 1) * 4;
  return {
    directory,
    entries,
    towns,
    regions,
    countries,
    names,
    nameSamples,
    townsByName,
    otherNames,
    otherNameSamples,
    townsOfOtherNames,
    gridDirectory,
    grid,
    end: grid + header.townCount * GRID_BYTES,
  };
}

export interface NameHash {
  readonly bucket: number;
  readonly key: number;
}

/** 48 bits over UTF-16 code units (after bryc's cyrb53). With a million names, one lookup in 10^8 is a false hit. */
export function hashName(name: string): NameHash {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let index = 0; index < name.length; index += 1) {
    const unit = name.charCodeAt(index);
    first = Math.imul(first ^ unit, 2654435761);
    second = Math.imul(second ^ unit, 1597334677);
  }
  first = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  second = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909);
  return { bucket: (first >>> 16) & (BUCKETS - 1), key: second >>> 0 };
}

/** A hash of 32 bits, never 0. Divisions are compared only within a country. */
export function hashDivision(code: string): number {
  const { bucket, key } = hashName(code);
  return ((key ^ bucket) | 1) >>> 0;
}
