/** Configuration of the page, written by src/web/console-page.ts. */

import type { KeptHistory } from '../../../src/web/console-page.ts';
import type { HeaderLink } from '../../../src/web/pages.ts';
import type { ExportChoice, ImportFormats } from '../../../src/web/transfer-formats.ts';
import type { PageConfig } from '../../shared/page-config.ts';

export interface ConsoleConfig extends PageConfig {
  /** Relative to the page, with a trailing slash. */
  readonly mapsUrl: string;
  /** The same, of the routes for signing in. */
  readonly authUrl: string;
  /** Relative to the page. */
  readonly ogcUrl: string;
  /** Null if it is not served. */
  readonly mcpUrl: string | null;
  /** Relative to the page. */
  readonly startUrl: string;
  /** Links to other pages, except the start page. */
  readonly pages: readonly HeaderLink[];
  readonly imports: ImportFormats;
  readonly exports: readonly ExportChoice[];
  readonly history: KeptHistory;
}
