/** What a line of the log says of the request that it is about. It holds ids and names alone. */

import type { Scope } from './scope.ts';

export interface LogFields {
  readonly requestId?: string | undefined;
  readonly owner?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly operation?: string | undefined;
}

export function logFieldsOf(scope: Scope | null): LogFields {
  if (scope === null) return {};
  const { requestId, caller, operation } = scope;
  // Of a caller that only an upstream knows, not even what stands for the token is written down.
  if (caller === null || caller.isForwarded) return { requestId, operation };
  return { requestId, owner: caller.ownerName, tokenId: caller.tokenId, operation };
}
