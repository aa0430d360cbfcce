/** The port for verifying JWTs. */

import type { TokenScope } from '../storage/storage.ts';

/** The content of a valid JWT. */
export interface VerifiedJwt {
  /** `issuer#claim`. */
  readonly ownerName: string;
  /** Null without one of our scopes. */
  readonly scope: TokenScope | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface JwtVerifier {
  /**
   * @param requestId for the log
   * @throws ServiceError UNAUTHENTICATED for anything but a valid JWT of the issuer; ISSUER_UNAVAILABLE while its keys
   *   cannot be fetched
   */
  verify(token: string, requestId?: string): Promise<VerifiedJwt>;
}
