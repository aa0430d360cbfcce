/** What the server says to the page's script; see src/web/console-page.ts, which writes it. */

import type { PageConfig } from '../shared/page-config.ts';

export interface ConsoleConfig extends PageConfig {
  /** Relative to the page, with a slash at its end. */
  readonly mapsUrl: string;
}
