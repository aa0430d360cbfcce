/** Loads the features in the map's view. A new request cancels the previous one. */

import { GraphqlError } from '../graphql.ts';
import type { MapFeature } from './map-features.ts';
import type { MapView } from './map-view.ts';

export class FeatureLoader {
  /** Error of the last request, or null. */
  error = $state.raw<GraphqlError | null>(null);
  #request = new AbortController();

  async load(map: MapView, read: (signal: AbortSignal) => Promise<readonly MapFeature[]>): Promise<void> {
    this.#request.abort();
    const { signal } = (this.#request = new AbortController());
    try {
      const features = await read(signal);
      if (signal.aborted) return;
      this.error = null;
      map.showFeatures(features);
    } catch (error) {
      if (!signal.aborted && error instanceof GraphqlError) this.error = error;
    }
  }
}
