/** The fragment of the page's URL: the open location and the view of the map. */

import type { View } from '../shared/map/framing.ts';

export interface Fragment {
  /** Null if no location is open. */
  readonly locationId: string | null;
  /** Null to show all locations. */
  readonly view: View | null;
}

/** Accepts any text and ignores invalid parts. */
export function parseFragment(hash: string): Fragment {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const id = parameters.get('location') ?? '';
  return { locationId: id === '' ? null : id, view: parseView(parameters.get('map') ?? '') };
}

function parseView(text: string): View | null {
  const parts = text.split('/');
  const [zoom = Number.NaN, latitude = Number.NaN, longitude = Number.NaN] = parts.map((part) =>
    part.trim() === '' ? Number.NaN : Number(part),
  );
  const isValid =
    parts.length === 3 && zoom >= 0 && zoom <= 22 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isValid ? { zoom, latitude, longitude } : null;
}

/** `#location=…&map=zoom/latitude/longitude`, or an empty string. */
export function formatFragment({ locationId, view }: Fragment): string {
  const parts = [];
  if (locationId !== null) parts.push(`location=${encodeURIComponent(locationId)}`);
  if (view !== null)
    parts.push(
      `map=${Number(view.zoom.toFixed(2))}/${round(view, view.latitude)}/${round(view, view.longitude)}`,
    );
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}

/** Rounds degrees to about a pixel. */
function round({ zoom }: View, degrees: number): string {
  return String(Number(degrees.toFixed(Math.min(7, Math.ceil(zoom / 3) + 1))));
}
