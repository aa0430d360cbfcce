/** The picture of a public map, for links to its page. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { ServiceError } from '../../errors.ts';
import { PictureMaker, TooManyPicturesError } from '../../web/picture/picture-maker.ts';
import type { Frame, Mark, PictureBox } from '../../web/picture/picture-svg.ts';
import { boxOf, frameOf, zoomOf } from '../../web/picture/picture-svg.ts';
import { etagOf, isKnownByTag } from '../request/etag.ts';
import { boxAround } from '../../web/basemap/box.ts';
import type { PublicRequests } from './public-responses.ts';
import { beginPublic, keepForAll } from './public-responses.ts';
import { sendPublicFailure } from './public-failure.ts';
import type { PublicMapReaderOptions } from './public-map.ts';
import { publicMapReader } from './public-map.ts';

export type PictureOptions = PublicMapReaderOptions & PublicRequests;

export const PICTURE_PATH = '/maps/:mapId/picture.png';

/** Bytes of pictures that are kept. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Clusters are rows of the answer; the API gives no more of them. */
const MAX_CLUSTERS = 2_000;

/** All that a picture is made of. */
interface Scene {
  readonly frame: Frame;
  readonly marks: readonly Mark[];
}

interface World {
  readonly clusters: readonly { readonly bbox: PictureBox }[];
}

interface Marks {
  readonly clusters: readonly Mark[];
}

export function pictureRoutes(app: FastifyInstance, options: PictureOptions): void {
  const pictures = new PictureMaker();
  app.addHook('onClose', () => pictures.close());
  // A picture depends on its marks and nothing else, so that is what it is kept by.
  const kept = new LRUCache<string, Uint8Array, Scene>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (png) => png.byteLength + 100,
    // Who asks for a picture that is being drawn waits for it.
    fetchMethod: (_key, _old, { context: { frame, marks } }) => pictures.draw(frame, marks),
    // Others may need the room meanwhile; whoever waits gets the picture all the same.
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
  app.setErrorHandler(sendPublicFailure);

  app.route<{ Params: { mapId: string } }>({
    method: ['GET', 'HEAD'],
    url: PICTURE_PATH,
    onRequest: beginPublic(options, 'beginWithoutToken'),
    handler: async (request, reply) => {
      const scene = await readScene(request, request.params.mapId);
      const etag = etagOf(VERSION, JSON.stringify([scene.frame, scene.marks]));
      // A picture of another host may be shown anywhere.
      reply.headers({
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      keepForAll(reply);
      if (isKnownByTag(request, reply, etag)) return reply.send();
      const png = await kept.forceFetch(etag, { context: scene }).catch(refuse);
      return reply.type('image/png').send(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    },
  });

  async function readScene(request: FastifyRequest, id: string): Promise<Scene> {
    const world = await readWorld(request, { id });
    const frame = frameOf(boxAround(world.clusters.map(({ bbox }) => bbox)));
    const { clusters } = await readMarks(request, { id, bbox: boxOf(frame), zoom: zoomOf(frame) + 1 });
    return { frame, marks: clusters };
  }
}

const WORLD = `clusters(bbox: {south: -90, west: -180, north: 90, east: 180}, zoom: 1) {
  bbox { south west north east }
}`;

/** Of the drawing: raised when it changes, so that no cache keeps a picture of before. */
const VERSION = '1';

function refuse(error: unknown): never {
  if (error instanceof TooManyPicturesError) {
    throw new ServiceError('OVERLOADED', 'Other pictures are being made; try again.');
  }
  throw error;
}
