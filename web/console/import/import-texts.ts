/** Texts about files and their rows. */

import type { ReportedColumn } from '../../../src/transfer/columns/column-report.ts';
import type { Message, MessageValue } from '../../../src/transfer/message.ts';
import { isolated } from '../../shared/text.ts';
import { t } from '../common/messages.ts';
import type { RowRejection } from './import-pass.ts';
import type { RowWarning } from './row-warnings.ts';
import type { Encoding } from './text-encoding.ts';
import type { ImportFailure } from './worker-protocol.ts';

export function failureText(failure: ImportFailure): string {
  switch (failure.kind) {
    case 'unreadable':
      return sentencesText(failure.sentences);
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

export function rejectionText({ code, problem }: RowRejection): string {
  const known = REJECTED.find((one) => one === code);
  return known === undefined ? messageText(problem) : t(`import.rejected.${known}`);
}

/** Advice about options of the command line for which the page has its own words. */
const SHOWN_ADVICE = ['optionUpsert'];

/** Sentences without those about options of the command line, for which the page has inputs. */
export function sentencesText(sentences: readonly Message[]): string {
  return sentences
    .filter(({ key }) => key?.startsWith('option') !== true || SHOWN_ADVICE.includes(key))
    .map(messageText)
    .join(' ');
}

/** In English if it has no translation. */
export function messageText({ key, text, values }: Message): string {
  if (key === null) return text;
  const shown = Object.entries(values).map(([name, value]) => [name, valueText(value)]);
  // A test compares the readers' keys and values with the catalogue.
  const translate = t as (key: string, values: unknown) => string;
  return translate(`file.${key}`, Object.fromEntries(shown));
}

function valueText(value: MessageValue): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if ('text' in value) return messageText(value);
  return value.map((name) => t('file.quoted', { name })).join(t('list.separator'));
}
