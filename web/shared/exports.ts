/** The export formats as a menu shows them. */

import type { ExportChoice } from '../../src/web/transfer-formats.ts';
import { t } from './i18n/translate.ts';

export function exportLabel({ label, isForExcel }: ExportChoice): string {
  return isForExcel ? t('download.forExcel', { format: label }) : label;
}

export function exportPurpose({ extension, isForExcel }: ExportChoice): string {
  return t(isForExcel ? 'download.purpose.excel' : `download.purpose.${extension}`);
}
