/** Verifies JWTs with jose (https://github.com/panva/jose), which is loaded on first use. */

import type * as JosePackage from 'jose';
import type { CompactJWSHeaderParameters, JWTVerifyOptions, JWTPayload } from 'jose';

import { ServiceError } from '../errors.ts';
import type { HttpGet } from '../geocoding/providers/http.ts';
import { invalidClaim, readClaims } from './claims.ts';
import type { IssuerAddress } from './fetch-keys.ts';
import { fetchJwks } from './fetch-keys.ts';
import { IssuerKeys } from './issuer-keys.ts';
import type { JwtVerifier } from './jwt.ts';

export interface JwtSettings extends IssuerAddress {
  readonly audience: string;
  readonly ownerClaim: string;
  readonly scopeClaim: string;
}

export interface JwtVerifierParts {
  readonly get: HttpGet;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Called when the issuer's keys could not be fetched, with the id of the request. */
  readonly onIssuerFailure: (error: unknown, requestId: string | undefined) => void;
}

/** No symmetric algorithms: anyone could sign with the public keys. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
/** Tolerated clock skew in seconds. */
const TOLERANCE = 60;

type Jose = typeof JosePackage;
type FindKey = ReturnType<Jose['createLocalJWKSet']>;

export function createJwtVerifier(settings: JwtSettings, parts: JwtVerifierParts): JwtVerifier {
  const { issuer, audience, ownerClaim, scopeClaim } = settings;
  const { get, clock, now = () => performance.now(), onIssuerFailure } = parts;
  let loading: Promise<Jose> | null = null;
  const load = () => (loading ??= import('jose'));
  const keys = new IssuerKeys<FindKey>({
    fetch: async () => {
      const [{ createLocalJWKSet }, jwks] = await Promise.all([load(), fetchJwks(settings, get)]);
      return createLocalJWKSet(jwks as Parameters<typeof createLocalJWKSet>[0]);
    },
    now,
    onFailure: onIssuerFailure,
  });
  return {
    async verify(token, requestId) {
      const jose = await load();
      const options: JWTVerifyOptions = {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        requiredClaims: ['exp'],
        clockTolerance: TOLERANCE,
        currentDate: new Date(clock()),
      };
      try {
        const payload = await verifyByIssuer(jose, token, options, {
          current: () => keys.current(requestId),
          after: (seen) => keys.after(seen, requestId),
        });
        return readClaims(payload, issuer, { owner: ownerClaim, scope: scopeClaim });
      } catch (error) {
        throw refusalOf(jose, error);
      }
    },
  };
}

/** Retries with newer keys if no known key fits. */
async function verifyByIssuer(
  jose: Jose,
  token: string,
  options: JWTVerifyOptions,
  keys: Pick<IssuerKeys<FindKey>, 'current' | 'after'>,
): Promise<JWTPayload> {
  const seen: FindKey[] = [];
  // jose asks for a key after it has read the header, so malformed tokens cause no fetch.
  const current = async () => {
    const found = await keys.current();
    seen.push(found);
    return found;
  };
  try {
    return await verifyBy(jose, token, options, current);
  } catch (error) {
    const [first] = seen;
    if (first === undefined || !isForUnknownKey(jose, error, token)) throw error;
    const others = await keys.after(first);
    if (others === null) throw error;
    return await verifyBy(jose, token, options, async () => others);
  }
}

async function verifyBy(
  jose: Jose,
  token: string,
  options: JWTVerifyOptions,
  findBy: () => Promise<FindKey>,
): Promise<JWTPayload> {
  const findKey = async (header: CompactJWSHeaderParameters) => (await findBy())(header);
  try {
    return (await jose.jwtVerify(token, findKey, options)).payload;
  } catch (error) {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
    // A token without a key id may be signed with any of the keys.
    for await (const key of error) {
      try {
        return (await jose.jwtVerify(token, key, options)).payload;
      } catch (failure) {
        if (!(failure instanceof jose.errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new jose.errors.JWSSignatureVerificationFailed();
  }
}

function isForUnknownKey({ decodeProtectedHeader, errors }: Jose, error: unknown, token: string): boolean {
  if (error instanceof errors.JWKSNoMatchingKey) return true;
  // A token without a key id that is signed with a new key fails by its signature only.
  return (
    error instanceof errors.JWSSignatureVerificationFailed && decodeProtectedHeader(token).kid === undefined
  );
}

/** Names the wrong part of the JWT, and repeats no value of it. */
function refusalOf({ errors }: Jose, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof errors.JWTExpired) return refusal('it has expired');
  if (error instanceof errors.JWTClaimValidationFailed) return invalidClaim(error.claim);
  if (error instanceof errors.JOSEAlgNotAllowed) return refusal('its algorithm is not accepted');
  if (error instanceof errors.JWKSNoMatchingKey) return refusal('the issuer has no such key');
  if (error instanceof errors.JWSSignatureVerificationFailed) return refusal('its signature is wrong');
  // Includes unusable keys of the issuer.
  return refusal('it is not a readable signed JWT');
}

function refusal(why: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', `The token is not valid: ${why}.`);
}
