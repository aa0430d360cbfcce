/** Configuration of the page, written by src/web/map-page.ts. */

import type { PageSettings } from '../../src/web/page-settings.ts';
import type { ExportChoice } from '../../src/web/transfer-formats.ts';
import type { FieldType } from '../shared/field-values.ts';
import type { PageConfig } from '../shared/page-config.ts';

/** A setting of the map that is absent has its default. */
export interface MapConfig extends PageConfig, Partial<Omit<PageSettings, 'language'>> {
  readonly mapId: string;
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[];
  /** Origins that images and audio may be loaded from, in addition to the page's own. */
  readonly mediaOrigins: readonly string[];
  readonly isEmbedded: boolean;
  /** The key of a link that opens the map, which is not published; absent for a published map. */
  readonly key?: string;
  /** BCP 47: the language of the page unless its address names one; null for the reader's. */
  readonly language?: string | null;
  readonly exports: readonly ExportChoice[];
}

/** The path of the page, which addresses may end with a slash. The files of its map are below it. */
export function pagePath(): string {
  return location.pathname.replace(/\/$/, '');
}
