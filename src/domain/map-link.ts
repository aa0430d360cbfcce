/** Links that open one map without an account. */

import type { MapRole } from './role.ts';

export const MAP_LINK_SCOPES = ['view', 'edit'] as const;

export type MapLinkScope = (typeof MAP_LINK_SCOPES)[number];

/** Open links of a map. */
export const MAX_MAP_LINKS = 50;

/** What a link allows on its map. */
export function roleOfLink(scope: MapLinkScope): MapRole {
  return scope === 'edit' ? 'editor' : 'viewer';
}
