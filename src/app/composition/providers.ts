/** Clients of other services: geocoding providers, the issuer of JWTs, and the identity provider. */

import type { Config, OidcConfig } from '../config.ts';
import type { Geocoder } from '../../geocoding/geocoder.ts';
import { createGeocoder } from '../../geocoding/create-geocoder.ts';
import { createOfflineGeocoder } from '../../geocoding/offline/offline-geocoder.ts';
import type { HttpGet } from '../../geocoding/providers/http.ts';
import { httpGet } from '../../geocoding/providers/http.ts';
import { storedCache, storedQuota } from '../../geocoding/cache/stored.ts';
import type { JwtVerifier } from '../../jwt/jwt.ts';
import type { JwtSettings } from '../../jwt/verifier.ts';
import type { IdentityProvider } from '../../oidc/identity-provider.ts';
import type { Storage } from '../../storage/storage.ts';
import { traceGet } from '../../tracing/provider-requests.ts';
import { VERSION } from '../../lib/version.ts';
import type { Parts } from './application.ts';
import { lazy } from '../../lib/lazy.ts';

export function geocoderOf({ geocoding }: Config, storage: Storage, parts: Parts): Geocoder {
  return createGeocoder(
    { ...geocoding, userAgent: `map-locations/${VERSION}`, processes: parts.processes },
    {
      offline: createOfflineGeocoder(),
      cache: storedCache(storage),
      quota: storedQuota(storage),
      onCall: parts.onGeocode,
      onCacheFailure: parts.onGeocodeCacheFailure,
      clock: parts.clock,
      get: getOf(parts),
    },
  );
}

/** Loaded with the first JWT: commands and most servers see none. */
export function deferredVerifier(settings: JwtSettings, parts: Parts): JwtVerifier {
  const { clock = Date.now, onIssuerFailure = () => {} } = parts;
  const verifier = lazy(async () => {
    const { createJwtVerifier } = await import('../../jwt/verifier.ts');
    return createJwtVerifier(settings, { get: getOf(parts), clock, onIssuerFailure });
  });
  return { verify: async (token, requestId) => (await verifier.get()).verify(token, requestId) };
}

/** Loaded with the first sign-in there. */
export function deferredProvider(settings: OidcConfig): IdentityProvider {
  const provider = lazy(async () => {
    const { createOpenIdConnect } = await import('../../oidc/openid-connect.ts');
    return createOpenIdConnect(settings);
  });
  return {
    begin: async () => (await provider.get()).begin(),
    complete: async (callback, attempt) => (await provider.get()).complete(callback, attempt),
    signOutUrl: async (idToken) => (await provider.get()).signOutUrl(idToken),
  };
}

function getOf({ tracing = null }: Parts): HttpGet {
  return tracing === null ? httpGet : traceGet(httpGet, tracing);
}
