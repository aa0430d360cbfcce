/** What the server says to the page's script; see src/web/console-page.ts, which writes it. */

import type { HeaderLink } from '../../src/web/pages.ts';
import type { ExportChoice, ImportFormats } from '../../src/web/transfer-formats.ts';
import type { PageConfig } from '../shared/page-config.ts';

export interface ConsoleConfig extends PageConfig {
  /** Relative to the page, with a slash at its end. */
  readonly mapsUrl: string;
  /** Relative to the page. */
  readonly startUrl: string;
  /** Beside the start page. */
  readonly pages: readonly HeaderLink[];
  readonly imports: ImportFormats;
  readonly exports: readonly ExportChoice[];
}
