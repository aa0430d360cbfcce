/** What every start prints on stdout: what runs here, where to look, and how to get in. */

import type { Config } from './config.ts';
import type { Demo } from './demo-locations.ts';
import type { Gateway } from './composition/gateway.ts';
import { describeStorage } from './composition/stores.ts';
import type { ServedPages } from '../web/pages.ts';
import { mapPath, START_PATH } from '../web/pages.ts';
import { VERSION } from '../lib/version.ts';
import { describeGeocoder } from './describe-geocoder.ts';
import { warnOfRisks } from './warnings.ts';
import type { Logger } from 'pino';

export interface AnnouncementOptions {
  readonly gateway: Gateway;
  readonly config: Config;
  readonly logger: Logger;
  /** Where clients find the server. */
  readonly url: string;
  readonly served: ServedPages;
}

/**
 * Plain text for a person. A failure is only logged: the server serves already.
 *
 * @param demo what this start made; null where it made none
 */
export async function announce(options: AnnouncementOptions, demo: Demo | null): Promise<void> {
  const { gateway, config, logger } = options;
  try {
    print(await facts(options), demo === null ? await hintAtTokens(gateway) : welcome(demo, options.url));
    await warnOfRisks(gateway, config, logger);
  } catch (error) {
    logger.warn({ err: error }, 'The addresses were not printed');
  }
}

/** A fact, and what it is called. */
export type Row = readonly [string, string];

/** @param lines behind the facts */
export function print(facts: readonly Row[], lines: readonly string[]): void {
  const all = [`Map Locations ${VERSION}`, '', ...table(facts), ...lines];
  process.stdout.write(`\n${all.join('\n')}\n\n`);
}

/** Where the pages and the interfaces are. */
export function addressRows(url: string, served: ServedPages, demo: readonly Row[] = []): readonly Row[] {
  return [
    ['Start', url + START_PATH],
    ...served.pages.map(({ name, path }): Row => [name, url + path]),
    ...demo,
    ['GraphQL', `${url}/graphql`],
    ['REST', `${url}/v0`],
  ];
}

async function facts({ gateway, config, url, served }: AnnouncementOptions): Promise<readonly Row[]> {
  const demoMap = served.hasMapPages ? await gateway.services.demoMap.findPublished() : null;
  const demo = demoMap === null ? [] : [['Demo map', url + mapPath(demoMap.id)] satisfies Row];
  return [
    ...addressRows(url, served, demo),
    ['Store', await describeStorage(config.databaseUrl)],
    ['Geocoder', describeGeocoder(config)],
    ...(served.hasMapPages ? [['Basemap', describeBasemap(config)] satisfies Row] : []),
  ];
}

function describeBasemap({ mapPage: { tiles } }: Config): string {
  return tiles === null ? 'built in, to the town; TILE_URL gives it streets' : `tiles of ${tiles.origin}`;
}

function table(rows: readonly Row[]): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

async function hintAtTokens({ services }: Gateway): Promise<readonly string[]> {
  const now = Date.now();
  const tokens = await services.tokens.listTokens();
  const isUsable = tokens.some(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now),
  );
  if (isUsable) return [];
  return ['', 'There is no token yet. Make one: npx map-locations token create --owner NAME'];
}

/** With two commands that work as they are printed. */
function welcome({ token, mapId, mapName, locations }: Demo, url: string): readonly string[] {
  const query = JSON.stringify({
    query: `{ map(id: "${mapId}") { name locations(first: 3) { totalCount nodes { name latitude longitude } } } }`,
  });
  return [
    '',
    `The store was empty, so there is now a demo map, "${mapName}", with ${locations} locations, and a token that may`,
    'read and write. The token is shown this once:',
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
