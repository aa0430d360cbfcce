/** The roles on a map, in words. */

import type { MapRole } from '../../../src/domain/role.ts';
import { includesRole } from '../../../src/domain/role.ts';
import { t } from '../common/messages.ts';

export function roleName(role: MapRole): string {
  return t(`role.${role}`);
}

/** What people with the role can do. */
export function describeRole(role: MapRole): string {
  return t(`role.${role}Text`);
}

/** @param role null for a map that is not loaded */
export function isAtLeast(role: MapRole | null | undefined, needed: MapRole): boolean {
  return role !== null && role !== undefined && includesRole(role, needed);
}
