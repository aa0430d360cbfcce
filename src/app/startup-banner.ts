/** What a start logs and prints: what runs, where to find it, how to get in, and what an operator should know. */

import type { Logger } from 'pino';

import { AUTO_PROVIDER, providerNamed } from '../geocoding/providers/providers.ts';
import { VERSION } from '../lib/version.ts';
import type { IssuedLink } from '../services/accounts/sign-in-links.ts';
import { allWebhooks } from '../services/webhooks/all-webhooks.ts';
import { readBasemap } from '../web/basemap-file/basemap-file.ts';
import type { ServedPages } from '../web/pages.ts';
import { mapPath, START_PATH } from '../web/pages.ts';
import type { BasemapFileSettings } from '../web/tiles.ts';
import type { StoreApplication } from './composition/store.ts';
import { describeStorage } from './composition/whole-stores.ts';
import type { Config, OidcConfig } from './config.ts';
import type { Demo } from './demo.ts';
import { linkUrlOf } from './process.ts';

/** The first line of the log, without credentials and keys. */
export async function logStart(config: Config, logger: Logger): Promise<void> {
  const { url } = config.upstream;
  const backend =
    url === null
      ? { store: await describeStorage(config.databaseUrl), geocoder: describeGeocoder(config) }
      : { upstream: url };
  logger.info({ version: VERSION, ...backend, workers: config.workers }, 'Starting');
  const { basemapFile } = config.mapPage;
  if (basemapFile !== null) await logBasemap(basemapFile, logger);
}

async function logBasemap({ path, attribution: chosen }: BasemapFileSettings, logger: Logger): Promise<void> {
  const { minZoom, maxZoom, bounds, attribution, hasKnownLayers } = await readBasemap(path);
  const text = (chosen ?? attribution).map((part) => part.text).join('');
  logger.info({ minZoom, maxZoom, bounds, attribution: text }, 'BASEMAP_FILE has streets for the pages');
  if (text === '')
    logger.warn('BASEMAP_FILE names no attribution; set TILE_ATTRIBUTION if its data requires one');
  if (!hasKnownLayers)
    logger.warn(
      'BASEMAP_FILE has none of the layers of the Protomaps basemap, so the pages draw nothing of it',
    );
}

export interface AnnouncementOptions {
  readonly application: StoreApplication;
  readonly config: Config;
  readonly logger: Logger;
  /** Where clients find the server. */
  readonly url: string;
  readonly served: ServedPages;
}

/**
 * Prints the banner of a server with a store on stdout. A failure is only logged: the server is already running.
 *
 * @param first what this start made in an empty store; null where it made none
 */
export async function announce(
  options: AnnouncementOptions,
  { demo, link }: { readonly demo: Demo | null; readonly link: IssuedLink | null },
): Promise<void> {
  const { application, config, logger } = options;
  try {
    const welcomes = demo === null ? await hintAtTokens(application) : welcome(demo, options.url);
    print(await facts(options), [...(link === null ? [] : inviteToConsole(link, options)), ...welcomes]);
    await warnOfRisks(application, config, logger);
  } catch (error) {
    logger.warn({ err: error }, 'The startup banner could not be printed');
  }
}

/** Prints the banner of a gateway. */
export function announceUpstream(
  upstreamUrl: string,
  { config, logger, url, served }: Omit<AnnouncementOptions, 'application'>,
): void {
  print(
    [...addressRows(url, served), ['Upstream', upstreamUrl]],
    ['', 'Tokens are issued by the upstream. Nothing is stored here.'],
  );
  for (const line of config.warnings) logger.warn(line);
}

/** A label and its value. */
type Row = readonly [string, string];

function print(rows: readonly Row[], lines: readonly string[]): void {
  const width = Math.max(...rows.map(([label]) => label.length));
  const table = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
  process.stdout.write(`\n${[`Map Locations ${VERSION}`, '', ...table, ...lines].join('\n')}\n\n`);
}

async function facts({ application, config, url, served }: AnnouncementOptions): Promise<readonly Row[]> {
  const demoMap = served.hasMapPages ? await application.services.demoMap.findPublished() : null;
  const demo = demoMap === null ? [] : [['Demo map', url + mapPath(demoMap.id)] satisfies Row];
  return [
    ...addressRows(url, served, demo),
    ['Store', await describeStorage(config.databaseUrl)],
    ['Geocoder', describeGeocoder(config)],
    ...(config.oidc === null ? [] : [['Sign-in', describeProvider(config.oidc)] satisfies Row]),
    ...(served.hasMapPages ? [['Basemap', await describeBasemap(config)] satisfies Row] : []),
  ];
}

function addressRows(url: string, served: ServedPages, demo: readonly Row[] = []): readonly Row[] {
  return [
    ['Start', url + START_PATH],
    ...served.pages.map(({ name, path }): Row => [name, url + path]),
    ...demo,
    ['GraphQL', `${url}/graphql`],
    ['REST', `${url}/v0`],
  ];
}

function describeProvider({ label, redirectUri }: OidcConfig): string {
  return `${label}; register this redirect address there: ${redirectUri}`;
}

const OFFLINE = 'offline, to the town';

function describeGeocoder({ geocoding: { geocoder, providers } }: Config): string {
  const auto = providerNamed(AUTO_PROVIDER).title;
  const names = geocoder.map((name) => {
    if (name === 'offline') return OFFLINE;
    if (name !== 'auto') return providerNamed(name).title;
    return providers[AUTO_PROVIDER].key === null ? `${auto} for maps with a key, else ${OFFLINE}` : auto;
  });
  return names.join(', then ');
}

async function describeBasemap({ mapPage: { tiles, basemapFile } }: Config): Promise<string> {
  if (tiles !== null) return `tiles of ${tiles.origin}`;
  if (basemapFile === null) return 'built in, to the town; BASEMAP_FILE or TILE_URL gives it streets';
  const { minZoom, maxZoom, bounds } = await readBasemap(basemapFile.path);
  const { south, west, north, east } = bounds;
  const box = [west, south, east, north].map((degrees) => Number(degrees.toFixed(3))).join(', ');
  return `streets of BASEMAP_FILE, zooms ${minZoom} to ${maxZoom}, within ${box}`;
}

async function hintAtTokens({ services }: StoreApplication): Promise<readonly string[]> {
  const now = Date.now();
  const tokens = await services.tokens.listTokens();
  const isUsable = tokens.some(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now),
  );
  if (isUsable) return [];
  return ['', 'There is no valid token. Create one: npx map-locations token create --owner NAME'];
}

/** Ends with two commands that work as they are printed. */
function welcome({ token, mapId, mapName, locations }: Demo, url: string): readonly string[] {
  const query = JSON.stringify({
    query: `{ map(id: "${mapId}") { name locations(first: 3) { totalCount nodes { name latitude longitude } } } }`,
  });
  return [
    '',
    `The store was empty, so this start created a demo map, "${mapName}", with ${locations} locations, and a token`,
    'that can read and write. The token is shown only once:',
    '',
    `  ${token}`,
    '',
    'Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${token}' '${url}/v0/map/${mapId}/locations?limit=3'`,
    '',
    `  curl -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' --data '${query}' ${url}/graphql`,
  ];
}

function inviteToConsole(link: IssuedLink, { config, url }: AnnouncementOptions): readonly string[] {
  return [
    '',
    'Open this link to make the first account for the console. It works once, for 24 hours:',
    '',
    `  ${linkUrlOf(config.publicUrl ?? url, link)}`,
  ];
}

/** Logs what an operator should know and no failure would say, one line each. */
async function warnOfRisks(application: StoreApplication, config: Config, logger: Logger): Promise<void> {
  for (const line of config.warnings) logger.warn(line);
  if (config.secretKey !== null) return;
  const unencrypted = [
    ...((await holdsKeys(application)) ? ['API keys of maps'] : []),
    ...((await holdsWebhookSecrets(application)) ? ['secrets of webhooks'] : []),
  ];
  if (unencrypted.length > 0) {
    logger.warn(`${unencrypted.join(' and ')} are stored unencrypted; SECRET_KEY encrypts them`);
  }
}

async function holdsKeys({ storage }: StoreApplication): Promise<boolean> {
  for await (const _map of storage.listMapsWithKeys()) return true;
  return false;
}

async function holdsWebhookSecrets({ storage }: StoreApplication): Promise<boolean> {
  for await (const { secret, formerSecret } of allWebhooks(storage)) {
    if (secret !== null || formerSecret !== null) return true;
  }
  return false;
}
