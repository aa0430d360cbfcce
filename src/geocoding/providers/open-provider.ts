/** Binds a provider's descriptor to its server. */

import type { Provider, ProviderConfig, ProviderDescriptor, ProviderServer } from './provider.ts';
import { refine } from './refine.ts';

/**
 * Without a `url`, the provider's default server is used.
 *
 * @throws TypeError if there is neither
 */
export function openProvider(
  descriptor: ProviderDescriptor,
  {
    url = null,
    contact = null,
    shownName = null,
    userAgent,
  }: Partial<ProviderConfig> & Pick<ProviderServer, 'userAgent'>,
): Provider {
  const baseUrl = url ?? descriptor.defaultUrl;
  if (baseUrl === null) throw new TypeError(`${descriptor.urlSetting} is not set.`);
  const server = { baseUrl, contact, userAgent };
  const name = shownName ?? descriptor.name;
  return {
    ...descriptor,
    baseUrl,
    shownName: name,
    request: (lookup) => descriptor.request(lookup, server),
    read: (response, lookup) => refine(descriptor.read(response, lookup), lookup, descriptor.title, name),
  };
}

/** False for a provider without a default server whose URL is not set. */
export function hasServer(
  { defaultUrl }: Pick<ProviderDescriptor, 'defaultUrl'>,
  { url }: Pick<ProviderConfig, 'url'>,
): boolean {
  return (url ?? defaultUrl) !== null;
}
