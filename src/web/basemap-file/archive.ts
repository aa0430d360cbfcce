/**
 * The header and metadata of a PMTiles archive with vector tiles
 * (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md).
 */

import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import type { TextPart } from '../../domain/attribution.ts';
import type { Box } from '../basemap/box.ts';
import { attributionParts } from './attribution-html.ts';

export interface Archive {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: Box;
  /** Empty if the metadata names none. */
  readonly attribution: readonly TextPart[];
  /** Whether it has layers that the pages draw: those of the Protomaps basemap. */
  readonly hasKnownLayers: boolean;
}

/** Why a file cannot be the basemap. The message continues a sentence: `BASEMAP_FILE must …`. */
export class ArchiveError extends Error {}

/** Offsets of the fields in the header, in bytes. Numbers are little-endian. */
const OFFSET = {
  version: 7,
  rootDirectory: 8,
  metadata: 24,
  leafDirectories: 40,
  tileData: 56,
  internalCompression: 97,
  tileCompression: 98,
  tileType: 99,
  minZoom: 100,
  maxZoom: 101,
  west: 102,
  south: 106,
  east: 110,
  north: 114,
} as const;

const MAGIC = 'PMTiles';
const VERSION = 3;
const HEADER_BYTES = 127;
/** The specification places the root directory here, and clients read no more of it. */
const FIRST_BYTES = 16_384;
const MAX_METADATA = { packed: 1024 * 1024, unpacked: 8 * 1024 * 1024 };
/** Of the Web Mercator tile pyramid in the specification. */
const MAX_ZOOM = 26;
const VECTOR_TILES = 1;
const TILE_TYPES = [
  'tiles of an unknown type',
  'vector tiles',
  'PNG',
  'JPEG',
  'WebP',
  'AVIF',
  'MapLibre tiles',
];
const COMPRESSIONS = ['an unknown compression', 'none', 'gzip', 'Brotli', 'Zstandard'];
/** Browsers unpack no other. */
const READABLE_COMPRESSIONS = ['none', 'gzip'];

/** Layers of the Protomaps basemap that hold shapes (https://docs.protomaps.com/basemaps/layers). */
const KNOWN_LAYERS = ['earth', 'landcover', 'landuse', 'water', 'roads', 'buildings', 'boundaries'];

interface Section {
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads no more than the header and the metadata.
 *
 * @param size of the file, in bytes
 * @throws ArchiveError for a file that is no PMTiles archive of vector tiles that browsers can read
 */
export async function readArchive(handle: FileHandle, size: number): Promise<Archive> {
  const header = await readSection(handle, { offset: 0, length: Math.min(size, HEADER_BYTES) });
  if (header.subarray(0, MAGIC.length).toString('latin1') !== MAGIC)
    throw refuse('it does not begin with "PMTiles"');
  const version = header[OFFSET.version];
  if (version !== VERSION) throw refuse(`its version is ${version ?? 'missing'}, not ${VERSION}`);
  if (header.length < HEADER_BYTES) throw refuse('its header is cut off');
  checkTiles(header);
  const metadata = sectionOf(header, size, 'metadata', 'metadata');
  const root = sectionOf(header, size, 'rootDirectory', 'root directory');
  sectionOf(header, size, 'leafDirectories', 'leaf directories');
  sectionOf(header, size, 'tileData', 'tiles');
  if (root.length === 0 || root.offset < HEADER_BYTES || root.offset + root.length > FIRST_BYTES)
    throw refuse(`its root directory is not within the first ${FIRST_BYTES} bytes`);
  return {
    ...zoomsOf(header),
    bounds: boundsOf(header),
    ...(await readMetadata(handle, metadata, header[OFFSET.internalCompression] === 2)),
  };
}

function checkTiles(header: Buffer): void {
  const type = header[OFFSET.tileType] ?? 0;
  if (type !== VECTOR_TILES) throw refuse(`it holds ${TILE_TYPES[type] ?? `tiles of type ${type}`}`);
  for (const [name, field] of [
    ['tiles', 'tileCompression'],
    ['directories', 'internalCompression'],
  ] as const) {
    const code = header[OFFSET[field]] ?? 0;
    const compression = COMPRESSIONS[code] ?? `compression ${code}`;
    if (!READABLE_COMPRESSIONS.includes(compression))
      throw refuse(`the compression of its ${name} is ${compression}; gzip and none are allowed`);
  }
}

function sectionOf(
  header: Buffer,
  size: number,
  field: 'rootDirectory' | 'metadata' | 'leafDirectories' | 'tileData',
  name: string,
): Section {
  const offset = header.readBigUInt64LE(OFFSET[field]);
  const length = header.readBigUInt64LE(OFFSET[field] + 8);
  if (offset + length > BigInt(size)) throw refuse(`the end of its ${name} is beyond that of the file`);
  return { offset: Number(offset), length: Number(length) };
}

function zoomsOf(header: Buffer): Pick<Archive, 'minZoom' | 'maxZoom'> {
  const minZoom = header[OFFSET.minZoom] ?? 0;
  const maxZoom = header[OFFSET.maxZoom] ?? 0;
  if (minZoom > maxZoom || maxZoom > MAX_ZOOM)
    throw refuse(`its zooms are ${minZoom} to ${maxZoom}; 0 to ${MAX_ZOOM} are allowed`);
  return { minZoom, maxZoom };
}

function boundsOf(header: Buffer): Box {
  const read = (field: 'west' | 'south' | 'east' | 'north') => header.readInt32LE(OFFSET[field]) / 1e7;
  const bounds = { south: read('south'), west: read('west'), north: read('north'), east: read('east') };
  const { south, west, north, east } = bounds;
  if (west >= east || south >= north || west < -180 || east > 180 || south < -90 || north > 90)
    throw refuse('its bounds are empty or not on Earth');
  return bounds;
}

async function readMetadata(
  handle: FileHandle,
  section: Section,
  isPacked: boolean,
): Promise<Pick<Archive, 'attribution' | 'hasKnownLayers'>> {
  if (section.length > MAX_METADATA.packed)
    throw refuse(`its metadata has ${section.length} bytes; ${MAX_METADATA.packed} are allowed`);
  const packed = await readSection(handle, section);
  let metadata: unknown;
  try {
    const text = isPacked
      ? await promisify(gunzip)(packed, { maxOutputLength: MAX_METADATA.unpacked })
      : packed;
    metadata = JSON.parse(text.toString('utf8'));
  } catch {
    throw refuse('its metadata is no JSON that can be unpacked');
  }
  const { attribution, vector_layers: layers } = (metadata ?? {}) as Record<string, unknown>;
  const names = Array.isArray(layers) ? layers.map((layer: { id?: unknown } | null) => layer?.id) : [];
  return {
    attribution: typeof attribution === 'string' ? attributionParts(attribution) : [],
    hasKnownLayers: KNOWN_LAYERS.some((name) => names.includes(name)),
  };
}

/** @throws ArchiveError if the file ends before */
async function readSection(handle: FileHandle, { offset, length }: Section): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, offset + read);
    if (bytesRead === 0) throw refuse('it is cut off');
    read += bytesRead;
  }
  return bytes;
}

function refuse(reason: string): ArchiveError {
  return new ArchiveError(`be a PMTiles archive (version ${VERSION}) of vector tiles: ${reason}`);
}
