/** /ogc: maps and their locations for QGIS, GDAL and other programs, by OGC API - Features. */

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { attributionText } from '../../domain/attribution.ts';
import { decodeMapCursor, encodeSequenceCursor, encodeMapCursor } from '../../domain/paging/cursor.ts';
import type { MapView } from '../../domain/public-view.ts';
import { ServiceError } from '../../errors.ts';
import { responseMemoryFull } from '../../graphql/limits/response-memory.ts';
import type { ResponseMemory } from '../../graphql/limits/response-memory.ts';
import type { Collections, MapName } from '../../ogc/documents.ts';
import {
  collection,
  collections,
  CONFORMS_TO,
  featureCollection,
  featureWithLinks,
  landingPage,
} from '../../ogc/documents.ts';
import type { FeatureServices } from '../../ogc/features.ts';
import { HELD_BYTES, readFeature, readFeatures } from '../../ogc/features.ts';
import type { Format, Target } from '../../ogc/links.ts';
import { linkTo, OGC_PATH, ownLinks, pageLinks, Targets, urlOf } from '../../ogc/links.ts';
import { openapiDocument } from '../../ogc/openapi.ts';
import type { PageInput, ShownFeature } from '../../ogc/pages.ts';
import {
  apiContent,
  collectionContent,
  collectionsContent,
  conformanceContent,
  itemContent,
  itemsContent,
  landingContent,
  maxRows,
} from '../../ogc/pages.ts';
import type { CollectionsQuery, Parameters } from '../../ogc/query.ts';
import {
  assertMapCursor,
  readCollectionsQuery,
  readFormat,
  readFormatOnly,
  readItemsQuery,
} from '../../ogc/query.ts';
import type { Scope } from '../../services/scope.ts';
import type { Services } from '../../services/services.ts';
import { addVary } from '../caching.ts';
import type { OgcDocument } from '../ogc-responses.ts';
import { acceptedFormat, ogcErrorHandler, renderDocument, sendDocument } from '../ogc-responses.ts';
import { baseUrlOf, searchOf } from '../request/request-url.ts';
import type { PublicRequests } from './public-requests.ts';
import { admitPublicRequest } from './public-requests.ts';

export interface OgcOptions extends PublicRequests {
  readonly services: FeatureServices & Pick<Services, 'maps' | 'publicMaps'>;
  /** Counts the bytes of all responses. */
  readonly memory: ResponseMemory;
  readonly publicUrl: string | null;
}

interface Params {
  readonly mapId?: string;
  readonly locationId?: string;
}

interface OgcRequest {
  readonly scope: Scope;
  readonly targets: Targets;
  readonly baseUrl: string;
  readonly search: string;
  readonly mapId: string;
  readonly locationId: string;
  /** @throws ServiceError BAD_USER_INPUT */
  readonly formatOf: (parameters: Parameters) => Format;
}

type Handler = (services: OgcOptions['services'], request: OgcRequest) => Promise<OgcDocument> | OgcDocument;

const ITEMS_PATH = '/collections/:mapId/items';

const HANDLERS: Readonly<Record<string, Handler>> = {
  '': getLandingPage,
  '/conformance': getConformance,
  '/api': getApi,
  '/collections': getCollections,
  '/collections/:mapId': getCollection,
  [ITEMS_PATH]: getItems,
  [`${ITEMS_PATH}/:locationId`]: getItem,
};

export const OGC_PATHS = Object.keys(HANDLERS).map((path) => OGC_PATH + path);

export function ogcRoutes(app: FastifyInstance, options: OgcOptions): void {
  const { services, requests, memory, publicUrl } = options;
  app.setErrorHandler(ogcErrorHandler(publicUrl));

  for (const [path, handle] of Object.entries(HANDLERS)) {
    // Only a page of locations is large.
    const heldBytes = path === ITEMS_PATH ? HELD_BYTES : 0;
    app.route<{ Params: Params }>({
      // Fastify's own HEAD would send a 304 with content length 0.
      method: ['GET', 'HEAD'],
      url: OGC_PATH + path,
      onRequest: admitPublicRequest(options, 'beginPublic'),
      handler: async (request, reply) => {
        addVary(reply, 'Accept');
        if (!memory.acquire(heldBytes, 0)) throw responseMemoryFull();
        let document: OgcDocument;
        let text: string;
        try {
          document = await handle(services, read(request));
          text = renderDocument(document);
        } finally {
          memory.release(heldBytes);
        }
        return sendDocument(request, reply, document, text);
      },
    });
  }

  function read(request: FastifyRequest<{ Params: Params }>): OgcRequest {
    const { mapId = '', locationId = '' } = request.params;
    const baseUrl = baseUrlOf(request, publicUrl);
    return {
      ...{ scope: requests.scopeOf(request), targets: new Targets(baseUrl), baseUrl },
      ...{ search: searchOf(request), mapId, locationId },
      formatOf: (parameters) => readFormat(parameters) ?? acceptedFormat(request),
    };
  }
}

function getLandingPage(_services: unknown, { targets, search, formatOf }: OgcRequest): OgcDocument {
  const format = formatOf(readFormatOnly(search));
  const document = landingPage(targets, format);
  return {
    ...{ target: targets.root, format, isPublic: true },
    json: () => JSON.stringify(document),
    page: () => ({
      title: 'OGC API - Features',
      above: [],
      links: document.links,
      content: landingContent(document),
    }),
  };
}

function getConformance(_services: unknown, { targets, search, formatOf }: OgcRequest): OgcDocument {
  const target = targets.conformance;
  return {
    ...{ target, format: formatOf(readFormatOnly(search)), isPublic: true },
    json: () => JSON.stringify({ conformsTo: CONFORMS_TO }),
    page: () => ({
      title: target.title,
      above: [targets.root],
      links: ownLinks(target, 'html'),
      content: conformanceContent(CONFORMS_TO),
    }),
  };
}

function getApi(_services: unknown, { targets, baseUrl, search, formatOf }: OgcRequest): OgcDocument {
  const target = targets.api;
  return {
    ...{ target, format: formatOf(readFormatOnly(search)), isPublic: true },
    json: () => JSON.stringify(openapiDocument(baseUrl)),
    page: () => ({
      title: target.title,
      above: [targets.root],
      links: ownLinks(target, 'html'),
      content: apiContent(),
    }),
  };
}

async function getCollections(
  services: OgcOptions['services'],
  { scope, targets, search, formatOf }: OgcRequest,
): Promise<OgcDocument> {
  const query = readCollectionsQuery(search);
  const format = formatOf(query.parameters);
  const { maps, next } = await listMaps(services, scope, query);
  const target = withQuery(targets.collections, query.parameters);
  const nextTarget = next === null ? null : withQuery(target, query.parameters, next);
  const document: Collections = collections(targets, maps, target, nextTarget, format);
  return {
    ...{ target, format, isPublic: scope.caller === null },
    json: () => JSON.stringify(document),
    page: () => ({
      title: target.title,
      above: [targets.root],
      links: document.links,
      content: collectionsContent(document),
    }),
  };
}

/** The maps of the caller; without one, the published maps. */
async function listMaps(
  { maps, publicMaps }: Pick<Services, 'maps' | 'publicMaps'>,
  scope: Scope,
  { limit, cursor }: CollectionsQuery,
): Promise<{ readonly maps: readonly MapName[]; readonly next: string | null }> {
  const { caller } = scope;
  if (caller !== null) {
    const after = cursor === null ? null : decodeMapCursor(caller.ownerId, cursor, 'cursor');
    const page = await maps.listMaps(scope, { limit, fromEnd: false, after, before: null });
    const { items, last, next } = page;
    return {
      maps: items.filter(({ isDeleted }) => !isDeleted),
      next: next === null || last === null ? null : encodeMapCursor(caller.ownerId, last),
    };
  }
  if (cursor !== null) assertMapCursor(cursor);
  const { ids, next } = await publicMaps.listPublishedPage(scope, { after: cursor ?? '', limit });
  const found = await publicMaps.find(scope, ids);
  return {
    maps: found.flatMap((map) => (map instanceof ServiceError ? [] : [map])),
    next,
  };
}

async function getCollection(
  { publicMaps }: OgcOptions['services'],
  { scope, targets, search, mapId, formatOf }: OgcRequest,
): Promise<OgcDocument> {
  const map = await publicMaps.findReadable(scope, mapId);
  const format = formatOf(readFormatOnly(search));
  const document = collection(targets, map, format);
  return {
    ...{ target: targets.collection(map), format, isPublic: map.view === 'public' },
    json: () => JSON.stringify(document),
    page: () => ({
      title: map.name,
      above: [targets.root, targets.collections],
      links: document.links,
      content: collectionContent(document),
    }),
  };
}

async function getItems(
  services: OgcOptions['services'],
  { scope, targets, search, mapId, formatOf }: OgcRequest,
): Promise<OgcDocument> {
  const map = await services.publicMaps.findReadable(scope, mapId);
  const query = readItemsQuery(search, map);
  const format = formatOf(query.parameters);
  const limit = format === 'html' ? Math.min(query.limit, maxRows(map.fields.length)) : query.limit;
  const page = await readFeatures(services, scope, map, { ...query, limit });
  const attribution = attributionText(await services.locations.findAttributions(scope, map));
  const target = withQuery(targets.items(map), query.parameters);
  const next =
    page.next === null ? null : withQuery(target, query.parameters, encodeSequenceCursor(map.id, page.next));
  const links = pageLinks(target, next, format);
  return {
    ...{ target, format, isPublic: map.view === 'public' },
    json: () => featureCollection(page, links, attribution),
    page: () => {
      const features = JSON.parse(`[${page.json}]`) as ShownFeature[];
      const shown = features.map((feature) => ({
        ...feature,
        href: urlOf(targets.item(map, feature), 'html'),
      }));
      // The first column has the name.
      const fields = map.fields.filter(({ type }) => type !== 'placeName').map(({ name }) => name);
      return {
        ...pageAbove(targets, map),
        ...{ title: target.title, links },
        content: itemsContent({ features: shown, fields, matched: page.matched, links, attribution }),
      };
    },
  };
}

async function getItem(
  services: OgcOptions['services'],
  { scope, targets, search, mapId, locationId, formatOf }: OgcRequest,
): Promise<OgcDocument> {
  const map = await services.publicMaps.findReadable(scope, mapId);
  const format = formatOf(readFormatOnly(search));
  const json = await readFeature(services, scope, map, locationId);
  const feature = JSON.parse(json) as ShownFeature;
  const target = targets.item(map, feature);
  const links = [...ownLinks(target, format), linkTo(targets.collection(map), 'collection', format)];
  return {
    ...{ target, format, isPublic: map.view === 'public' },
    json: () => featureWithLinks(json, links),
    page: () => {
      const { above } = pageAbove(targets, map);
      const title = feature.name === '' ? feature.id : feature.name;
      return { title, above: [...above, targets.items(map)], links, content: itemContent(feature) };
    },
  };
}

function pageAbove(targets: Targets, map: MapView): Pick<PageInput, 'above'> {
  return { above: [targets.root, targets.collections, targets.collection(map)] };
}

/** The same request, or with a cursor that of the page there. */
function withQuery(target: Target, parameters: Parameters, cursor?: string): Target {
  const query = [...parameters].filter(([name]) => cursor === undefined || name !== 'cursor');
  return { ...target, query: cursor === undefined ? query : [...query, ['cursor', cursor]] };
}
