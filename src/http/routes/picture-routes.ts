/** The preview image of a public map, for links to its page. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import type { CategoryStyle } from '../../domain/category-style.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { FieldDefinition } from '../../domain/map.ts';
import { categoryOf } from '../../domain/categories.ts';
import { categoryFieldOf } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import { WorkerBusyError } from '../../lib/idle-worker.ts';
import { PictureMaker } from '../../web/picture/picture-maker.ts';
import type { Frame, Mark, PictureBox } from '../../web/picture/picture-svg.ts';
import { boxOf, frameOf, zoomOf } from '../../web/picture/picture-svg.ts';
import { etagOf, isNotModified, allowSharedCaching } from '../caching.ts';
import { boxAround } from '../../web/basemap/box.ts';
import type { PublicRequests } from './public-requests.ts';
import { admitPublicRequest } from './public-requests.ts';
import { sendPublicError } from '../errors.ts';
import type { PublicMapReaderOptions } from './public-map.ts';
import { publicMapReader } from './public-map.ts';

export type PictureOptions = PublicMapReaderOptions & PublicRequests;

export const PICTURE_PATH = '/maps/:mapId/picture.png';

/** Bytes of cached pictures. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** The API's limit: clusters count as rows. */
const MAX_CLUSTERS = 2_000;

/** Locations of a map up to which those that stand alone have the colors of their categories. */
const MAX_COLORED = 1_000;

/** Everything that a picture depends on. */
interface Scene {
  readonly frame: Frame;
  readonly marks: readonly Mark[];
  /** Undefined for that of all pages. */
  readonly accent: string | undefined;
}

interface World {
  readonly theme: { readonly accentOnLight: string | null };
  readonly fields: readonly Pick<FieldDefinition, 'name' | 'type'>[];
  readonly categories: readonly Pick<CategoryStyle, 'value' | 'color'>[];
  readonly clusters: readonly { readonly count: number; readonly bbox: PictureBox }[];
}

interface Marks {
  readonly clusters: readonly (Omit<Mark, 'color'> & {
    readonly location?: { readonly properties: JsonObject } | null;
  })[];
}

export function pictureRoutes(app: FastifyInstance, options: PictureOptions): void {
  const pictures = new PictureMaker();
  app.addHook('onClose', () => pictures.close());
  // Keyed by frame, marks and accent, on which alone a picture depends.
  const kept = new LRUCache<string, Uint8Array, Scene>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (png) => png.byteLength + 100,
    // Concurrent requests for a picture share one drawing.
    fetchMethod: (_key, _old, { context: { frame, marks, accent } }) => pictures.draw(frame, marks, accent),
    // An eviction during drawing does not fail the waiting requests.
    ignoreFetchAbort: true,
  });
  const limits = { maxRows: MAX_CLUSTERS };
  const readWorld = publicMapReader<World>(options, WORLD, limits);
  const readMarks = publicMapReader<Marks>(
    options,
    'clusters(bbox: $bbox, zoom: $zoom) { latitude longitude count location @include(if: $isColored) { properties } }',
    {
      ...limits,
      variables: '$bbox: BboxInput!, $zoom: Int!, $isColored: Boolean!',
    },
  );
  app.setErrorHandler(sendPublicError);

  app.route<{ Params: { mapId: string } }>({
    method: ['GET', 'HEAD'],
    url: PICTURE_PATH,
    onRequest: admitPublicRequest(options, 'beginAnonymous'),
    handler: async (request, reply) => {
      const scene = await readScene(request, request.params.mapId);
      const etag = etagOf(VERSION, JSON.stringify([scene.frame, scene.marks, scene.accent]));
      // Pages of any host may show the picture.
      reply.headers({
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      allowSharedCaching(reply);
      if (isNotModified(request, reply, etag)) return reply.send();
      const png = await kept.forceFetch(etag, { context: scene }).catch(rethrow);
      return reply.type('image/png').send(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    },
  });

  async function readScene(request: FastifyRequest, id: string): Promise<Scene> {
    const world = await readWorld(request, { id });
    const frame = frameOf(boxAround(world.clusters.map(({ bbox }) => bbox)));
    const colors = colorsOf(world);
    const variables = { bbox: boxOf(frame), zoom: zoomOf(frame) + 1, isColored: colors !== null };
    const { clusters } = await readMarks(request, { id, ...variables });
    const marks = clusters.map(({ location, ...mark }) =>
      colors === null || !location ? mark : { ...mark, color: colors(location.properties) },
    );
    return { frame, marks, accent: world.theme.accentOnLight ?? undefined };
  }
}

/** Reads the color of a location's category; null where no location needs to be read. */
function colorsOf({
  fields,
  categories,
  clusters,
}: World): ((properties: JsonObject) => string | undefined) | null {
  const field = categoryFieldOf(fields);
  const byValue = new Map(categories.flatMap(({ value, color }) => (color === null ? [] : [[value, color]])));
  const count = clusters.reduce((sum, cluster) => sum + cluster.count, 0);
  if (field === undefined || byValue.size === 0 || count > MAX_COLORED) return null;
  return (properties) => byValue.get(categoryOf(properties, field));
}

const WORLD = `theme { accentOnLight } fields { name type } categories { value color }
clusters(bbox: {south: -90, west: -180, north: 90, east: 180}, zoom: 1) { count bbox { south west north east } }`;

/** Version of the drawing. Increase it when the drawing changes, so that cached pictures expire. */
const VERSION = '2';

function rethrow(error: unknown): never {
  if (error instanceof WorkerBusyError) {
    throw new ServiceError('OVERLOADED', 'The server is drawing other pictures; try again.');
  }
  throw error;
}
