/** What a member may do on a map: viewers read, editors also write locations, owners may do everything. */

/** From the lowest to the highest. */
export const MAP_ROLES = ['viewer', 'editor', 'owner'] as const;

export type MapRole = (typeof MAP_ROLES)[number];

/** Whether a role includes everything that the other one may do. */
export function includesRole(role: MapRole, other: MapRole): boolean {
  return MAP_ROLES.indexOf(role) >= MAP_ROLES.indexOf(other);
}

export function higherRole(one: MapRole, other: MapRole): MapRole {
  return includesRole(one, other) ? one : other;
}
