/** Which URLs webhooks may have (capabilities §15). Host names are resolved when a message is sent, not here. */

import { isIP } from 'node:net';

import { badUserInput } from '../errors.ts';
import { isGloballyRoutable } from './ip-address.ts';
import { isLoopbackHost } from './loopback.ts';
import { isPlainText } from './text.ts';

/** Code points. */
const MAX_LENGTH = 2_048;

export interface WebhookUrlRules {
  /** Whether http to this machine is allowed, regardless of the other rule. */
  readonly allowsHttp: boolean;
  /** Whether addresses that are not globally routable are allowed. */
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
  if (url.protocol !== 'https:') {
    throw badUserInput(`url must be ${allowed}.`, { reason: 'urlNotHttps' });
  }
  if (!allowsPrivate && isPrivate(url)) {
    throw badUserInput('url must not name an address that is not globally routable.', {
      reason: 'urlPrivate',
    });
  }
  return url;
}

/** As far as the URL shows without a lookup. */
function isPrivate(url: URL): boolean {
  const address = addressIn(url);
  return address === null ? isLoopbackHost(url.hostname) : !isGloballyRoutable(address);
}

/** The IP address of the URL without brackets; null for a host name. */
export function addressIn({ hostname }: URL): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
