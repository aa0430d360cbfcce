/** Links that open one map without an account. */

export const MAP_LINK_SCOPES = ['view', 'edit'] as const;

export type MapLinkScope = (typeof MAP_LINK_SCOPES)[number];

/** Open links of a map. */
export const MAX_MAP_LINKS = 50;
