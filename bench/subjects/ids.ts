/** Location ids: the map's id, an underscore, and 60 random bits in Crockford's base 32. */

import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export function newLocationId(mapId: string): string {
  let id = `${mapId}_`;
  for (const byte of randomBytes(12)) id += ALPHABET.charAt(byte & 31);
  return id;
}
