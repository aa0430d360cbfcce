/** Where webhooks may send messages to (capabilities §15). Names are looked up when something is sent, not here. */

import { isIP } from 'node:net';

import { badUserInput } from '../errors.ts';
import { isGloballyRoutable } from './ip-address.ts';
import { isLoopbackHost } from './loopback.ts';
import { isPlainText } from './text.ts';

/** In code points. */
const MAX_LENGTH = 2_048;

export interface WebhookUrlRules {
  /** Whether http to this machine is allowed, whatever the other rule says. */
  readonly allowsHttp: boolean;
  /** Whether addresses are allowed that are not globally routable. */
  readonly allowsPrivate: boolean;
}

/** @throws ServiceError BAD_USER_INPUT */
export function parseWebhookUrl(text: string, { allowsHttp, allowsPrivate }: WebhookUrlRules): URL {
  const allowed = allowsHttp ? 'https, or http to this machine' : 'https';
  if (!isPlainText(text, MAX_LENGTH) || /\s/.test(text) || !URL.canParse(text)) {
    throw badUserInput(`url must be an absolute ${allowed} address of at most 2,048 characters.`);
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw badUserInput('url must have neither user information nor a fragment.');
  }
  if (url.protocol === 'http:' && allowsHttp && isLoopbackHost(url.hostname)) return url;
  if (url.protocol !== 'https:') throw badUserInput(`url must be ${allowed}.`);
  if (!allowsPrivate && isPrivate(url)) {
    throw badUserInput('url must not name an address that is not globally routable.');
  }
  return url;
}

/** As far as the text says. */
function isPrivate(url: URL): boolean {
  const address = addressIn(url);
  return address === null ? isLoopbackHost(url.hostname) : !isGloballyRoutable(address);
}

/** The IP address that stands in the place of a name, without brackets; null for a name. */
export function addressIn({ hostname }: URL): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
