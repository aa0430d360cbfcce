/** The port between the services and the reading of JWTs. */

import type { TokenScope } from '../storage/storage.ts';

/** What a valid JWT says. */
export interface VerifiedJwt {
  /** `issuer#claim`. */
  readonly ownerName: string;
  /** Null for a JWT that allows nothing here. */
  readonly scope: TokenScope | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface JwtVerifier {
  /**
   * @param requestId of the request that brings the token, for the log
   * @throws ServiceError UNAUTHENTICATED for anything but a valid JWT of the issuer; ISSUER_UNAVAILABLE while its keys
   *   cannot be had
   */
  verify(token: string, requestId?: string): Promise<VerifiedJwt>;
}
