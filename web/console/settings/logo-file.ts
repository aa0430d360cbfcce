/** Files of logos, as data URLs. */

import { LOGO_TYPES, MAX_LOGO_BYTES } from '../../../src/domain/logo.ts';
import { formatNumber } from '../../shared/i18n/translate.ts';
import { dataUrlOf } from '../../shared/data-url.ts';
import { t } from '../common/messages.ts';

/** @returns what is wrong with the file; null if the server takes it */
export async function problemOfLogo(file: File): Promise<string | null> {
  const { name, size, type } = file;
  if (!(LOGO_TYPES as readonly string[]).includes(type)) return t('settings.logo.wrongType', { name });
  if (size > MAX_LOGO_BYTES) {
    const [has, limit] = [size, MAX_LOGO_BYTES].map((bytes) => formatNumber(Math.ceil(bytes / 1024)));
    return t('settings.logo.tooLarge', { name, size: has ?? '', limit: limit ?? '' });
  }
  // Not even what an XML parser ignores: a document type declares entities.
  if (type === 'image/svg+xml' && hasDocumentType(await file.text())) {
    return t('settings.logo.documentType', { name });
  }
  return (await isImage(file)) ? null : t('settings.logo.broken', { name });
}

function hasDocumentType(svg: string): boolean {
  return new DOMParser().parseFromString(svg, 'image/svg+xml').doctype !== null;
}

async function isImage(file: Blob): Promise<boolean> {
  const image = new Image();
  const loaded = new Promise<boolean>((resolve) => {
    image.addEventListener('load', () => resolve(true));
    image.addEventListener('error', () => resolve(false));
  });
  image.src = await dataUrlOf(file);
  return loaded;
}

/** The stored logo; null if it cannot be loaded. An image in the page would send no token. */
export async function loadLogo(
  url: string,
  access: Pick<RequestInit, 'headers' | 'credentials'>,
): Promise<string | null> {
  try {
    const response = await fetch(url, access);
    return response.ok ? await dataUrlOf(await response.blob()) : null;
  } catch {
    return null;
  }
}
