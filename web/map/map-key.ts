/**
 * Opens the page of an unpublished map with the key of a link to it (`#key=…`). The server answers for it as for an unknown
 * map, and never sees the key in an address: this page sends it as a bearer token.
 */

import { createGraphqlClient, GraphqlError } from '../shared/graphql.ts';
import type { PageConfig } from '../shared/page-config.ts';
import type { MapConfig } from './config.ts';
import { OpenedMapDocument } from './generated/operations.ts';
import { messageOf, t } from './messages.ts';

/** What the server writes into the page of a map that is unpublished or unknown. */
export interface UnopenedConfig extends PageConfig, Pick<MapConfig, 'mediaOrigins'> {
  /** Relative to the page. */
  readonly startUrl: string;
}

/**
 * The configuration of the map that the key of this page opens.
 *
 * @returns null without a key, or if it does not open the map, which the page says then
 */
export async function openByKey(config: UnopenedConfig, message: HTMLElement): Promise<MapConfig | null> {
  // A link that is pasted into the address bar of this page does not load it again.
  addEventListener('hashchange', () => {
    if (keyIn(location.hash) !== null) location.reload();
  });
  const mapId = location.pathname.split('/').findLast((part) => part !== '') ?? '';
  const key = takeKey(mapId);
  if (key === null) {
    showUnknown(message, config.startUrl);
    return null;
  }
  show(message, t('opening.loading'), '');
  try {
    const { graphqlUrl: url, documentId } = config;
    const { publicMap } = await createGraphqlClient({ url, documentId, token: key })(OpenedMapDocument, {
      id: mapId,
    });
    if (publicMap !== null) return { ...config, ...publicMap, mapId, key, isEmbedded: false, exports: [] };
  } catch (error) {
    const { code } = error instanceof GraphqlError ? error : { code: 'UNKNOWN' };
    if (code !== 'UNAUTHENTICATED' && code !== 'MAP_NOT_FOUND') {
      show(message, t('opening.failed'), error instanceof GraphqlError ? messageOf(error) : '', {
        canRetry: true,
      });
      return null;
    }
  }
  forgetKey(mapId);
  show(message, t('opening.linkEnded'), t('opening.linkEndedText'));
  return null;
}

function showUnknown(message: HTMLElement, startUrl: string): void {
  show(message, t('unknown.title'), t('unknown.text'));
  const link = document.createElement('a');
  link.href = startUrl;
  link.textContent = t('unknown.start');
  message.append(link);
}

/** Moves the key from the address to the storage of this tab, so that a reload still opens the map. */
function takeKey(mapId: string): string | null {
  const key = keyIn(location.hash);
  if (key === null) return inStorage((storage) => storage.getItem(nameOf(mapId)));
  inStorage((storage) => storage.setItem(nameOf(mapId), key));
  const parameters = new URLSearchParams(location.hash.slice(1));
  parameters.delete('key');
  const rest = parameters.size === 0 ? '' : `#${parameters.toString()}`;
  history.replaceState(null, '', location.pathname + location.search + rest);
  return key;
}

function forgetKey(mapId: string): void {
  inStorage((storage) => storage.removeItem(nameOf(mapId)));
}

function keyIn(hash: string): string | null {
  const key = new URLSearchParams(hash.slice(1)).get('key') ?? '';
  return key === '' ? null : key;
}

function nameOf(mapId: string): string {
  return `map-locations:key:${mapId}`;
}

/** Null if the browser forbids storage. */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

function show(message: HTMLElement, title: string, text: string, { canRetry = false } = {}): void {
  const heading = document.createElement('h1');
  heading.textContent = title;
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  paragraph.setAttribute('role', 'status');
  message.replaceChildren(heading, paragraph);
  document.title = title;
  if (!canRetry) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.textContent = t('action.retry');
  button.addEventListener('click', () => location.reload());
  message.append(button);
}
