/** Hashes the bearer token of a request as the store does. */

import { createHash } from 'node:crypto';

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

export function hashOfBearer(authorization: string | null | undefined): string | null {
  const token = BEARER.exec(authorization ?? '')?.[1];
  return token === undefined ? null : createHash('sha256').update(token).digest('hex');
}
