/** Saves files with the browser. An export may need a token, so a link is not enough. */

import { GraphqlError } from '../../shared/graphql.ts';
import { t } from './messages.ts';

/** @throws GraphqlError with the server's message */
export async function download(
  url: string,
  access: Pick<RequestInit, 'headers' | 'credentials'>,
  fileName: string,
): Promise<void> {
  const response = await fetch(url, access).catch(() => null);
  if (response === null) throw new GraphqlError('NETWORK_ERROR', '');
  if (!response.ok) {
    const { message = '' } = (await response.json().catch(() => ({}))) as { message?: string };
    throw new GraphqlError('BAD_USER_INPUT', message || t('download.failed'));
  }
  saveFile(await response.blob(), fileName);
}

export function saveFile(content: Blob, fileName: string): void {
  const href = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = href;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(href);
}
