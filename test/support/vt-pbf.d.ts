declare module 'vt-pbf' {
  import type { LegacyTile } from 'geojson-vt';

  /** @param layers tiles by the name of their layer */
  export function fromGeojsonVt(
    layers: Readonly<Record<string, LegacyTile>>,
    options?: { readonly version?: 1 | 2; readonly extent?: number },
  ): Uint8Array;
}
