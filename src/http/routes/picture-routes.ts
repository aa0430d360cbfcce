/** The preview image of a public map, for links to its page. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { ServiceError } from '../../errors.ts';
import { PictureMaker, TooManyPicturesError } from '../../web/picture/picture-maker.ts';
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

/** Everything that a picture depends on. */
interface Scene {
  readonly frame: Frame;
  readonly marks: readonly Mark[];
  /** Undefined for that of all pages. */
  readonly accent: string | undefined;
}

interface World {
  readonly theme: { readonly accentOnLight: string | null };
  readonly clusters: readonly { readonly bbox: PictureBox }[];
}

interface Marks {
  readonly clusters: readonly Mark[];
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
    'clusters(bbox: $bbox, zoom: $zoom) { latitude longitude count }',
    {
      ...limits,
      variables: '$bbox: BboxInput!, $zoom: Int!',
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
    const { clusters } = await readMarks(request, { id, bbox: boxOf(frame), zoom: zoomOf(frame) + 1 });
    return { frame, marks: clusters, accent: world.theme.accentOnLight ?? undefined };
  }
}

const WORLD = `theme { accentOnLight } clusters(bbox: {south: -90, west: -180, north: 90, east: 180}, zoom: 1) {
  bbox { south west north east }
}`;

/** Version of the drawing. Increase it when the drawing changes, so that cached pictures expire. */
const VERSION = '1';

function rethrow(error: unknown): never {
  if (error instanceof TooManyPicturesError) {
    throw new ServiceError('OVERLOADED', 'The server is drawing other pictures; try again.');
  }
  throw error;
}
