/** What the server says to the page's script; see src/web/map-page.ts, which writes it. */

import type { ExportChoice } from '../../src/web/transfer-formats.ts';
import type { FieldType } from '../shared/field-values.ts';
import type { PageConfig } from '../shared/page-config.ts';

export interface MapConfig extends PageConfig {
  readonly mapId: string;
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[];
  /** Origins of pictures and sounds that may be loaded, beside the page's own. */
  readonly mediaOrigins: readonly string[];
  readonly isEmbedded: boolean;
  readonly exports: readonly ExportChoice[];
}
