/** The service with a real geocoder, which calls a scripted server of the providers. */

import type { Environment } from '../../src/app/config.ts';
import type { GeocoderSettings } from '../../src/geocoding/create-geocoder.ts';
import { createGeocoder } from '../../src/geocoding/create-geocoder.ts';
import { startGeocodingServer } from './geocoding-server.ts';
import { settingsFor, townGeocoder } from './geocoding-settings.ts';
import type { TestServer } from './server.ts';
import { createTestServer } from './server.ts';

/** The service with a geocoder that calls the providers at a URL. */
export function createServerCalling(
  url: string,
  settings: Partial<GeocoderSettings>,
  environment: Environment = {},
): Promise<TestServer> {
  const geocoder = createGeocoder(settingsFor(url, settings), { offline: townGeocoder, random: () => 0 });
  // Executes each query once, since each call of the provider counts.
  return createTestServer(environment, { geocoder, onStorageCommand: () => undefined });
}

/** A scripted server of the providers, and the service that calls it. */
export async function startServerWithProvider(
  settings: Partial<GeocoderSettings>,
  environment?: Environment,
) {
  const provider = await startGeocodingServer();
  const server = await createServerCalling(provider.url, settings, environment);
  const close = async () => {
    await server.close();
    await provider.close();
  };
  return { provider, server, close };
}
