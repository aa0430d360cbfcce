/** Texts about files and their rows. */

import type { ReportedColumn } from '../../../src/transfer/columns/column-report.ts';
import { isolated } from '../../shared/text.ts';
import { t } from '../common/messages.ts';
import type { RowRejection } from './import-pass.ts';
import type { RowWarning } from './row-warnings.ts';
import type { Encoding } from './text-encoding.ts';
import type { ImportFailure } from './worker-protocol.ts';

export function failureText(failure: ImportFailure): string {
  switch (failure.kind) {
    case 'unreadable':
      return failure.message;
    case 'unexpected':
      return t('import.cannotRead', { reason: failure.reason });
    case 'crashed':
      return failure.reason === '' ? t('import.crashed') : t('import.crashedBy', { reason: failure.reason });
  }
}

/** The header of a column, or its letters. */
export function columnName({ column, letters }: ReportedColumn): string {
  return letters === null ? isolated(column) : t('import.unnamedColumn', { letters });
}

/** What a column becomes. */
export function useText({ use, name, isExternalId }: ReportedColumn): string {
  switch (use) {
    case 'field':
    case 'property':
    case 'unnamed':
      return t(use === 'field' && isExternalId ? 'import.use.fieldAndId' : `import.use.${use}`, {
        name: name ?? '',
      });
    default:
      return t(`import.use.${use}`);
  }
}

/** Such as `Greek (Windows-1253)`. */
export function encodingText({ title, use }: Encoding): string {
  return use === null ? title : t(`import.encoding.${use}`, { title });
}

export function warningText({ field, value, warning }: RowWarning): string {
  return t(`import.warning.${warning}`, { field: isolated(field), value: isolated(value) });
}

/** Codes of rows that say everything. */
const REJECTED = ['ADDRESS_NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'] as const;

/** In English where the code alone says too little. */
export function rejectionText({ code, reason }: RowRejection): string {
  const known = REJECTED.find((one) => one === code);
  return known === undefined ? reason : t(`import.rejected.${known}`);
}
