/** The JSON documents of OGC API - Features 1.0, Part 1: Core. */

import { SITE_NAME } from '../web/pages.ts';
import type { FeaturePage } from './features.ts';
import type { Format, Link, Target, Targets } from './links.ts';
import { linkTo, ownLinks, pageLinks } from './links.ts';

const CLASSES = ['core', 'oas30', 'html', 'geojson'];
export const CONFORMS_TO = CLASSES.map(
  (name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`,
);

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

export interface Linked {
  readonly links: readonly Link[];
}

export interface LandingPage extends Linked {
  readonly title: string;
  readonly description: string;
}

export function landingPage(targets: Targets, format: Format): LandingPage {
  return {
    title: SITE_NAME,
    description: 'Maps and their locations, by OGC API - Features.',
    links: [
      ...ownLinks(targets.root, format),
      linkTo(targets.api, 'service-desc', 'json'),
      linkTo(targets.api, 'service-doc', 'html'),
      linkTo(targets.conformance, 'conformance', format),
      linkTo(targets.collections, 'data', format),
    ],
  };
}

export interface MapName {
  readonly id: string;
  readonly name: string;
}

export interface Collection extends Linked {
  readonly id: string;
  readonly title: string;
  readonly itemType: 'feature';
  readonly crs: readonly string[];
}

export function collection(targets: Targets, map: MapName, format: Format): Collection {
  const items = targets.items(map);
  return {
    id: map.id,
    title: map.name,
    itemType: 'feature',
    crs: [CRS84],
    links: [
      ...ownLinks(targets.collection(map), format),
      linkTo(items, 'items', 'json'),
      linkTo(items, 'items', 'html'),
    ],
  };
}

export interface Collections extends Linked {
  readonly collections: readonly Collection[];
}

/** @param next the next page; null for the last one */
export function collections(
  targets: Targets,
  maps: readonly MapName[],
  own: Target,
  next: Target | null,
  format: Format,
): Collections {
  return {
    links: pageLinks(own, next, format),
    collections: maps.map((map) => collection(targets, map, format)),
  };
}

/** @param attribution what must be shown with the points; empty for nothing */
export function featureCollection(page: FeaturePage, links: readonly Link[], attribution: string): string {
  const head = {
    type: 'FeatureCollection',
    ...(attribution !== '' && { attribution }),
    numberReturned: page.count,
    ...(page.matched !== null && { numberMatched: page.matched }),
    links,
  };
  return `${JSON.stringify(head).slice(0, -1)},"features":[${page.json}]}`;
}

/** @param feature as JSON */
export function featureWithLinks(feature: string, links: readonly Link[]): string {
  return `${feature.slice(0, -1)},"links":${JSON.stringify(links)}}`;
}
