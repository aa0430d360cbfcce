/** The roles on a map, in words. */

import type { MapRole } from '../../../src/domain/role.ts';
import { includesRole } from '../../../src/domain/role.ts';

export const ROLE_NAMES: Readonly<Record<MapRole, string>> = {
  viewer: 'Viewer',
  editor: 'Editor',
  owner: 'Owner',
};

/** One sentence for each role. */
export const ROLE_RIGHTS: Readonly<Record<MapRole, string>> = {
  viewer: 'Viewers can see and export all locations, but change nothing.',
  editor: 'Editors can also add, change, import and delete locations.',
  owner: 'Owners can do everything: also settings, webhooks, publishing, people, and deleting the map.',
};

/** @param role null for a map that is not loaded */
export function isAtLeast(role: MapRole | null | undefined, needed: MapRole): boolean {
  return role !== null && role !== undefined && includesRole(role, needed);
}
