/** Checks of combinations of settings, and checks that need a lookup. */

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import type { RemoteProvider } from '../../geocoding/providers/providers.ts';
import { PROVIDERS, selectedPublicServer } from '../../geocoding/providers/providers.ts';
import { isLoopbackHost } from '../../domain/loopback.ts';
import { isPrivate } from '../../storage/open.ts';
import { ArchiveError } from '../../web/basemap-file/archive.ts';
import { readBasemap } from '../../web/basemap-file/basemap-file.ts';
import type { Settings } from './schema.ts';

export interface SettingsCheck<Finding> {
  /** The settings it reads. The check is skipped when one of them is invalid. */
  readonly of: readonly (keyof Settings)[];
  /** A line that starts with the setting to change and repeats no value; null when all is well. */
  readonly find: (settings: Settings) => Finding;
}

/** For every command. */
export const CHECKS: readonly SettingsCheck<string | null>[] = [
  ...PROVIDERS.flatMap(({ name, title, urlSetting, defaultUrl }) => {
    if (defaultUrl !== null) return [];
    return {
      of: ['GEOCODER', urlSetting] as const,
      find: (settings: Settings) =>
        settings.GEOCODER.includes(name) && settings[urlSetting] === undefined
          ? `${urlSetting} must be set, because GEOCODER lists ${name}: ${title} has no default server.`
          : null,
    };
  }),
  ...PROVIDERS.flatMap((provider) => {
    const { title, urlSetting, contactSetting } = provider;
    if (contactSetting === null) return [];
    return {
      of: ['GEOCODER', urlSetting, contactSetting] as const,
      find: (settings: Settings) =>
        publicServerOf(provider, settings) !== null && settings[contactSetting] === undefined
          ? `${contactSetting} must be set to use the public ${title} server: its operators require a contact address. Set ${urlSetting} to use your own server.`
          : null,
    };
  }),
  {
    of: ['SECRET_KEY', 'SECRET_KEY_FALLBACK'],
    find: ({ SECRET_KEY, SECRET_KEY_FALLBACK }) =>
      SECRET_KEY === undefined && SECRET_KEY_FALLBACK !== undefined
        ? 'SECRET_KEY must be set with SECRET_KEY_FALLBACK, which only decrypts.'
        : null,
  },
  {
    of: ['TRUSTED_DOCUMENTS', 'GRAPHQL_TRUSTED_ONLY'],
    find: ({ TRUSTED_DOCUMENTS, GRAPHQL_TRUSTED_ONLY }) =>
      GRAPHQL_TRUSTED_ONLY && TRUSTED_DOCUMENTS === undefined
        ? 'TRUSTED_DOCUMENTS must be set with GRAPHQL_TRUSTED_ONLY: it names the file of the trusted documents.'
        : null,
  },
  {
    of: ['BASEMAP_FILE', 'TILE_URL'],
    find: ({ BASEMAP_FILE, TILE_URL }) =>
      BASEMAP_FILE !== undefined && TILE_URL !== undefined
        ? 'BASEMAP_FILE must not be set with TILE_URL: the pages show the tiles of one of them.'
        : null,
  },
  {
    of: ['JWT_ISSUER', 'JWT_AUDIENCE'],
    find: ({ JWT_ISSUER, JWT_AUDIENCE }) =>
      JWT_ISSUER !== undefined && JWT_AUDIENCE === undefined
        ? 'JWT_AUDIENCE must be set with JWT_ISSUER: otherwise a JWT for another service of the issuer would be accepted.'
        : null,
  },
  {
    of: ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'],
    find: ({ JWT_ISSUER, JWT_AUDIENCE, JWT_JWKS_URL }) =>
      JWT_ISSUER === undefined && (JWT_AUDIENCE ?? JWT_JWKS_URL) !== undefined
        ? 'JWT_ISSUER must be set with JWT_AUDIENCE and JWT_JWKS_URL: without it, no JWT is accepted.'
        : null,
  },
  {
    of: ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
    find: ({ OIDC_ISSUER, OIDC_CLIENT_ID }) =>
      OIDC_ISSUER !== undefined && OIDC_CLIENT_ID === undefined
        ? 'OIDC_CLIENT_ID must be set with OIDC_ISSUER: the id that the provider gave this server.'
        : null,
  },
  {
    of: ['OIDC_ISSUER', 'PUBLIC_URL'],
    find: ({ OIDC_ISSUER, PUBLIC_URL }) =>
      OIDC_ISSUER !== undefined && PUBLIC_URL === undefined
        ? 'PUBLIC_URL must be set with OIDC_ISSUER: the provider sends people back to that address.'
        : null,
  },
  {
    of: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_LABEL'],
    find: ({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_LABEL }) =>
      OIDC_ISSUER === undefined && (OIDC_CLIENT_ID ?? OIDC_CLIENT_SECRET ?? OIDC_LABEL) !== undefined
        ? 'OIDC_ISSUER must be set with OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_LABEL: without it, there is no provider.'
        : null,
  },
  {
    of: ['UPSTREAM_URL', 'AUDIT_LOG'],
    find: ({ UPSTREAM_URL, AUDIT_LOG }) =>
      UPSTREAM_URL !== undefined && AUDIT_LOG !== undefined
        ? 'AUDIT_LOG must not be set with UPSTREAM_URL: only the upstream knows who writes. Set it there.'
        : null,
  },
  {
    of: ['UPSTREAM_URL', 'FEDERATION'],
    find: ({ UPSTREAM_URL, FEDERATION }) =>
      UPSTREAM_URL !== undefined && FEDERATION
        ? 'FEDERATION must not be set with UPSTREAM_URL: /v0 cannot find a location by its id alone.'
        : null,
  },
  {
    of: ['UPSTREAM_URL', 'JWT_ISSUER'],
    find: ({ UPSTREAM_URL, JWT_ISSUER }) =>
      UPSTREAM_URL !== undefined && JWT_ISSUER !== undefined
        ? 'JWT_ISSUER must not be set with UPSTREAM_URL: the upstream verifies every token.'
        : null,
  },
  {
    of: ['UPSTREAM_URL', 'OIDC_ISSUER'],
    find: ({ UPSTREAM_URL, OIDC_ISSUER }) =>
      UPSTREAM_URL !== undefined && OIDC_ISSUER !== undefined
        ? 'OIDC_ISSUER must not be set with UPSTREAM_URL: a gateway has no accounts.'
        : null,
  },
];

/** Settings that are valid, but may be a mistake. */
export const WARNINGS: readonly Pick<SettingsCheck<string | null>, 'find'>[] = [
  ...PROVIDERS.map(({ name, title, keySetting }) => ({
    find: (settings: Settings) =>
      keySetting !== null && settings.GEOCODER.includes(name) && settings[keySetting] === undefined
        ? `GEOCODER lists ${name}, but ${keySetting} is not set: ${title} is used only for maps with their own key.`
        : null,
  })),
  {
    find: ({ PUBLIC_URL }) =>
      PUBLIC_URL?.startsWith('http:') && !isLoopbackHost(new URL(PUBLIC_URL).hostname)
        ? 'PUBLIC_URL is http: passwords and the cookies of sessions can be read on their way. Use https.'
        : null,
  },
];

/** Only for servers: other commands do not listen and have no workers. */
export const SERVING_CHECKS: readonly SettingsCheck<Promise<string | null>>[] = [
  {
    of: ['HOST'],
    find: async ({ HOST }) => {
      if (isIP(HOST) !== 0) return null;
      const code = await lookup(HOST).then(() => null, codeOf);
      return code === null
        ? null
        : `HOST must be an IP address or a host name that can be resolved; resolving it failed (${code}).`;
    },
  },
  ...PROVIDERS.filter(({ publicServer }) => publicServer !== null).map((provider) => ({
    of: ['WORKERS', 'GEOCODER', provider.urlSetting] as const,
    find: (settings: Settings) => {
      const server = publicServerOf(provider, settings);
      return Promise.resolve(
        server !== null && settings.WORKERS > 1
          ? `WORKERS must be 1 to use the public ${provider.title} server: its operators allow ${server.rule}. Set ${provider.urlSetting} to use your own server.`
          : null,
      );
    },
  })),
  {
    of: ['BASEMAP_FILE', 'UPSTREAM_URL'],
    find: async ({ BASEMAP_FILE, UPSTREAM_URL }) => {
      // A gateway has no pages of maps.
      if (BASEMAP_FILE === undefined || UPSTREAM_URL !== undefined) return null;
      try {
        await readBasemap(BASEMAP_FILE);
        return null;
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error;
        return `BASEMAP_FILE must ${error.message}.`;
      }
    },
  },
  {
    of: ['WORKERS', 'DATABASE_URL'],
    find: async ({ WORKERS, DATABASE_URL }) =>
      WORKERS > 1 && (await isPrivate(DATABASE_URL))
        ? 'WORKERS must be 1 with DATABASE_URL=sqlite::memory:, because each process would have its own database.'
        : null,
  },
];

function publicServerOf(provider: RemoteProvider, settings: Settings) {
  return selectedPublicServer(provider, settings.GEOCODER, settings[provider.urlSetting] ?? null);
}

/** Node's code, such as ENOTFOUND. Its message would repeat the name. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
