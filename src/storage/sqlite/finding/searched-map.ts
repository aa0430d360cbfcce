/** A map that is searched, as the store has it. */

import type { Cover } from '../../../domain/filter/covers.ts';
import { coversOf, namesAskedOfShapes } from '../../../domain/filter/covers.ts';
import type { LocationFilter } from '../../../domain/filter/location-filter.ts';
import type { SearchedMap } from '../../../domain/filter/location-search.ts';
import type { Shape } from '../../../domain/filter/shape.ts';
import { isLocationIdOf } from '../../../domain/ids.ts';
import { numberOf } from '../rows.ts';
import type { Reader } from '../reader.ts';
import { termOfShape } from './map-terms.ts';
import type { SpatialPart } from './spatial.ts';
import { spatialPartOf } from './spatial.ts';

export interface StoredMap {
  readonly map: SearchedMap;
  readonly number: number;
  /** Locations that it holds. */
  readonly count: number;
  /** Names that the map's shapes may be asked about; none where they would be of no use. */
  readonly asked: ReadonlySet<string>;
  /** What the filter says of where its locations stand. Null: without the map's shapes. */
  readonly coversWith: (shapes: readonly Shape[] | null) => readonly Cover[];
  readonly spatial: SpatialPart;
}

/** Null for a map that is not there. */
export function readMap(reader: Reader, map: SearchedMap, filter: LocationFilter): StoredMap | null {
  const row = reader.get('SELECT number, location_count FROM maps WHERE id = ?', map.id);
  if (row === undefined) return null;
  return {
    map,
    number: numberOf(row, 'number'),
    count: numberOf(row, 'location_count'),
    asked: namesAskedOfShapes(filter),
    coversWith: (shapes) => coversOf(filter, map.fields, shapes).map((cover) => ofMap(cover, map.id)),
    spatial: spatialPartOf(filter),
  };
}

/** Without ids that cannot be of the map. A shape is a term here. */
function ofMap({ shapes, ...cover }: Cover, mapId: string): Cover {
  return {
    ...cover,
    ids: cover.ids.filter((id) => isLocationIdOf(mapId, id)),
    terms: [...cover.terms, ...shapes.map(termOfShape)],
    shapes: [],
  };
}
