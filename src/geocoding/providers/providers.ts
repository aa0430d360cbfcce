/** The registry of remote providers. To add one, write its descriptor, list it here, and document it. */

import { geoapify } from './geoapify.ts';
import { geocodejson } from './geocodejson.ts';
import { google } from './google.ts';
import { locationiq } from './locationiq.ts';
import { mapbox } from './mapbox.ts';
import { nominatim } from './nominatim.ts';
import { opencage } from './opencage.ts';
import { photon } from './photon.ts';
import type { Attribution } from '../../domain/attribution.ts';
import type { ProviderConfig, ProviderDescriptor, PublicServer } from './provider.ts';
import { publicServerAt } from './provider.ts';

const ALL = [google, nominatim, mapbox, photon, geocodejson, geoapify, locationiq, opencage] as const;

export type RemoteName = (typeof ALL)[number]['name'];
/** The names of the providers' settings: keys, base URLs and contact email addresses. */
export type KeySetting = NonNullable<(typeof ALL)[number]['keySetting']>;
export type UrlSetting = (typeof ALL)[number]['urlSetting'];
export type ContactSetting = NonNullable<(typeof ALL)[number]['contactSetting']>;
export type NameSetting = NonNullable<(typeof ALL)[number]['nameSetting']>;
export type AttributionSetting = NonNullable<(typeof ALL)[number]['attributionSetting']>;

export type RemoteProvider = ProviderDescriptor & {
  readonly name: RemoteName;
  readonly keySetting: KeySetting | null;
  readonly urlSetting: UrlSetting;
  readonly contactSetting: ContactSetting | null;
  readonly nameSetting: NameSetting | null;
  readonly attributionSetting: AttributionSetting | null;
};

export const PROVIDERS: readonly RemoteProvider[] = ALL;

/** `auto` is this provider if there is a key for it, else the offline gazetteer. */
export const AUTO_PROVIDER: RemoteName = google.name;

/** What the setting `GEOCODER` may list. */
export type GeocoderName = 'auto' | RemoteName | 'offline';
export const GEOCODER_NAMES: readonly GeocoderName[] = ['auto', ...ALL.map(({ name }) => name), 'offline'];

export function providerNamed(name: RemoteName): RemoteProvider {
  const found = PROVIDERS.find((provider) => provider.name === name);
  if (found === undefined) throw new TypeError(`Unknown geocoding provider: ${name}.`);
  return found;
}

/**
 * The limits of the provider's public server, if `GEOCODER` selects that server.
 *
 * @param url the value of the provider's URL setting; null for its default server
 */
export function selectedPublicServer(
  provider: RemoteProvider,
  names: readonly GeocoderName[],
  url: string | null,
): PublicServer | null {
  return names.includes(provider.name) ? publicServerAt(provider, url) : null;
}

/** The values of all providers' settings. */
export type ProviderConfigs = Readonly<Record<RemoteName, ProviderConfig>>;

export function configureProviders(configOf: (provider: RemoteProvider) => ProviderConfig): ProviderConfigs {
  const entries = PROVIDERS.map((provider) => [provider.name, Object.freeze(configOf(provider))]);
  return Object.freeze(Object.fromEntries(entries) as ProviderConfigs);
}

/** What must be shown with points, by the provider's name in them; also of providers that `GEOCODER` does not list. */
export function attributionsOf(configs: ProviderConfigs): ReadonlyMap<string, readonly Attribution[]> {
  return new Map(
    PROVIDERS.map(({ name, attributions }) => {
      const { shownName, attribution } = configs[name];
      return [shownName ?? name, attribution === null ? attributions : [attribution]];
    }),
  );
}
