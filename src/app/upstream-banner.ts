/** What a start in front of an upstream prints on stdout. */

import type { Logger } from 'pino';

import type { Config } from './config.ts';
import type { ServedPages } from '../web/pages.ts';
import { addressRows, print } from './startup-banner.ts';

export interface UpstreamAnnouncementOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Where clients find the server. */
  readonly url: string;
  readonly served: ServedPages;
  readonly upstreamUrl: string;
}

export function announceUpstream({
  config,
  logger,
  url,
  served,
  upstreamUrl,
}: UpstreamAnnouncementOptions): Promise<void> {
  print(
    [...addressRows(url, served), ['Upstream', upstreamUrl]],
    ['', 'Tokens are those of the upstream. Nothing is stored here.'],
  );
  for (const line of config.warnings) logger.warn(line);
  return Promise.resolve();
}
