/** Checks of settings that need more than one setting, or a look-up. */

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import { isPublicNominatim, NOMINATIM_URL } from '../../geocoding/providers/public-nominatim.ts';
import { isPrivate } from '../../storage/open.ts';
import type { Settings } from './schema.ts';

export interface SettingsCheck<Finding> {
  /** The settings that it looks at. It is skipped when one of them is wrong by itself. */
  readonly of: readonly (keyof Settings)[];
  /** A line that begins with the setting to change and repeats no value; null when nothing is wrong. */
  readonly find: (settings: Settings) => Finding;
}

const OWN_NOMINATIM = 'A server of your own is set with NOMINATIM_URL.';

/** For every command. */
export const CHECKS: readonly SettingsCheck<string | null>[] = [
  {
    of: ['GEOCODER', 'NOMINATIM_URL', 'NOMINATIM_EMAIL'],
    find: (settings) =>
      asksPublicNominatim(settings) && settings.NOMINATIM_EMAIL === undefined
        ? `NOMINATIM_EMAIL must be set to use the public Nominatim server: its operators ask whom to write to. ${OWN_NOMINATIM}`
        : null,
  },
  {
    of: ['SECRET_KEY', 'SECRET_KEY_FALLBACK'],
    find: ({ SECRET_KEY, SECRET_KEY_FALLBACK }) =>
      SECRET_KEY === undefined && SECRET_KEY_FALLBACK !== undefined
        ? 'SECRET_KEY must be set with SECRET_KEY_FALLBACK, which encrypts nothing.'
        : null,
  },
  {
    of: ['TRUSTED_DOCUMENTS', 'GRAPHQL_TRUSTED_ONLY'],
    find: ({ TRUSTED_DOCUMENTS, GRAPHQL_TRUSTED_ONLY }) =>
      GRAPHQL_TRUSTED_ONLY && TRUSTED_DOCUMENTS === undefined
        ? 'TRUSTED_DOCUMENTS must be set with GRAPHQL_TRUSTED_ONLY: it says which documents these are.'
        : null,
  },
  {
    of: ['JWT_ISSUER', 'JWT_AUDIENCE'],
    find: ({ JWT_ISSUER, JWT_AUDIENCE }) =>
      JWT_ISSUER !== undefined && JWT_AUDIENCE === undefined
        ? 'JWT_AUDIENCE must be set with JWT_ISSUER: a JWT of the issuer for another service must not be let in.'
        : null,
  },
  {
    of: ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'],
    find: ({ JWT_ISSUER, JWT_AUDIENCE, JWT_JWKS_URL }) =>
      JWT_ISSUER === undefined && (JWT_AUDIENCE ?? JWT_JWKS_URL) !== undefined
        ? 'JWT_ISSUER must be set with JWT_AUDIENCE and JWT_JWKS_URL: without it no JWT is let in.'
        : null,
  },
  {
    of: ['UPSTREAM_URL', 'AUDIT_LOG'],
    find: ({ UPSTREAM_URL, AUDIT_LOG }) =>
      UPSTREAM_URL !== undefined && AUDIT_LOG !== undefined
        ? 'AUDIT_LOG must not be set with UPSTREAM_URL: the upstream alone knows who writes, and keeps such a log itself.'
        : null,
  },
  {
    of: ['UPSTREAM_URL', 'FEDERATION'],
    find: ({ UPSTREAM_URL, FEDERATION }) =>
      UPSTREAM_URL !== undefined && FEDERATION
        ? 'FEDERATION must not be set with UPSTREAM_URL: /v0 finds no map and no location by its id alone.'
        : null,
  },
  {
    of: ['UPSTREAM_URL', 'JWT_ISSUER'],
    find: ({ UPSTREAM_URL, JWT_ISSUER }) =>
      UPSTREAM_URL !== undefined && JWT_ISSUER !== undefined
        ? 'JWT_ISSUER must not be set with UPSTREAM_URL: the upstream judges every token.'
        : null,
  },
];

/** What is allowed, but perhaps not meant. */
export const WARNINGS: readonly Pick<SettingsCheck<string | null>, 'find'>[] = [
  {
    find: ({ GEOCODER, GOOGLE_API_KEY }) =>
      GEOCODER.includes('google') && GOOGLE_API_KEY === undefined
        ? 'GEOCODER names google, but GOOGLE_API_KEY is not set: Google is asked only for maps with a key of their own.'
        : null,
  },
  {
    find: ({ GEOCODER, MAPBOX_ACCESS_TOKEN }) =>
      GEOCODER.includes('mapbox') && MAPBOX_ACCESS_TOKEN === undefined
        ? 'GEOCODER names mapbox, but MAPBOX_ACCESS_TOKEN is not set: Mapbox is asked only for maps with a key of their own.'
        : null,
  },
];

/** Only for serving: other commands neither listen nor have workers. */
export const SERVING_CHECKS: readonly SettingsCheck<Promise<string | null>>[] = [
  {
    of: ['HOST'],
    find: async ({ HOST }) => {
      if (isIP(HOST) !== 0) return null;
      const code = await lookup(HOST).then(() => null, codeOf);
      return code === null
        ? null
        : `HOST must be an IP address, or a host name that can be looked up; looking it up failed (${code}).`;
    },
  },
  {
    of: ['WORKERS', 'GEOCODER', 'NOMINATIM_URL'],
    find: (settings) =>
      Promise.resolve(
        asksPublicNominatim(settings) && settings.WORKERS > 1
          ? `WORKERS must be 1 to use the public Nominatim server: its operators allow one request a second in all. ${OWN_NOMINATIM}`
          : null,
      ),
  },
  {
    of: ['WORKERS', 'DATABASE_URL'],
    find: async ({ WORKERS, DATABASE_URL }) =>
      WORKERS > 1 && (await isPrivate(DATABASE_URL))
        ? 'WORKERS must be 1 with DATABASE_URL=sqlite::memory:, of which each process has its own.'
        : null,
  },
];

function asksPublicNominatim({ GEOCODER, NOMINATIM_URL: url = NOMINATIM_URL }: Settings): boolean {
  return GEOCODER.includes('nominatim') && isPublicNominatim(url);
}

/** Node's code, such as ENOTFOUND. Its message would repeat the name. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
