/** What an upstream that speaks /v0 does not have. */

import type { ServiceError } from '../../errors.ts';
import { badUserInput } from '../../errors.ts';

/** @param what the field, argument or verb, as clients know it */
export function unsupportedByUpstream(what: string): ServiceError {
  return badUserInput(`The upstream does not have ${what}: it is not part of /v0, which this gateway asks.`);
}
