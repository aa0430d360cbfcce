/** The members of a location that a search uses. Stores read no others to evaluate it. */

import type { LocationFilter } from './location-filter.ts';
import type { LocationOrder } from './location-order.ts';
import type { Filtered } from './matcher.ts';

export type Member = keyof Filtered;

/** For searches that use no member. */
export const UNSEEN: Filtered = {
  id: '',
  externalId: null,
  name: '',
  properties: {},
  latitude: 0,
  longitude: 0,
  createdAt: 0,
  updatedAt: 0,
  geocoding: { provider: '', precision: '', isAmbiguous: false, isChecked: false },
};

/** Whether only the point is used. */
export function areOfPoint(members: Iterable<Member>): boolean {
  return [...members].every((member) => member === 'latitude' || member === 'longitude');
}

/** May have duplicates. */
export function membersOfFilter(filter: LocationFilter): readonly Member[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.flatMap(membersOfFilter);
    case 'not':
      return membersOfFilter(filter.filter);
    case 'bbox':
    case 'near':
    case 'area':
      return ['latitude', 'longitude'];
    case 'search':
      return ['name', 'properties'];
    case 'property':
      return ['properties'];
    case 'ids':
      return ['id'];
    case 'externalIds':
      return ['externalId'];
    case 'createdAt':
    case 'updatedAt':
    case 'geocoding':
      return [filter.kind];
  }
}

export function membersOfOrder({ by }: LocationOrder): readonly Member[] {
  switch (by) {
    case 'list':
    case 'sequence':
      return [];
    case 'distance':
      return ['latitude', 'longitude'];
    case 'property':
      return ['properties'];
    case 'name':
    case 'createdAt':
    case 'updatedAt':
      return [by];
  }
}

/** Names of the used properties; null for all. */
export function propertiesOfFilter(filter: LocationFilter): readonly string[] | null {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const names = filter.filters.map(propertiesOfFilter);
      return names.includes(null) ? null : names.flatMap((each) => each ?? []);
    }
    case 'not':
      return propertiesOfFilter(filter.filter);
    case 'search':
      return null;
    case 'property':
      return [filter.test.name];
    default:
      return [];
  }
}

export function propertiesOfOrder(order: LocationOrder): readonly string[] {
  return order.by === 'property' ? [order.property] : [];
}
