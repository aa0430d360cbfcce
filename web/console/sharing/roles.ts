/** The roles on a map, in words. */

import type { MapRole } from '../../../src/domain/role.ts';
import { includesRole } from '../../../src/domain/role.ts';

export const ROLE_NAMES: Readonly<Record<MapRole, string>> = {
  viewer: 'Viewer',
  editor: 'Editor',
  owner: 'Owner',
};

/** Completes “can …”. */
const RIGHTS: Readonly<Record<MapRole, string>> = {
  viewer: 'see and export all locations, but change nothing',
  editor: 'see all locations, and add, change, import and delete them',
  owner: 'do everything: also change settings and webhooks, publish, invite people, and delete the map',
};

export function describeRole(role: MapRole): string {
  return `${ROLE_NAMES[role]}s can ${RIGHTS[role]}.`;
}

/** @param role null for a map that is not loaded */
export function isAtLeast(role: MapRole | null | undefined, needed: MapRole): boolean {
  return role !== null && role !== undefined && includesRole(role, needed);
}
