/** What a page's address says after the `#`: the location that is open, and the part of the map that is in view. */

export interface Fragment {
  /** Null where none is open. */
  readonly locationId: string | null;
  /** Null where the whole map is to be seen. */
  readonly view: View | null;
}

export interface View {
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Reads any text; what makes no sense is as if it were not there. */
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
  const isRight =
    parts.length === 3 && zoom >= 0 && zoom <= 22 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isRight ? { zoom, latitude, longitude } : null;
}

/** `#location=…&map=zoom/latitude/longitude`, or an empty text. */
export function formatFragment({ locationId, view }: Fragment): string {
  const parts = [];
  if (locationId !== null) parts.push(`location=${encodeURIComponent(locationId)}`);
  if (view !== null)
    parts.push(
      `map=${Number(view.zoom.toFixed(2))}/${round(view, view.latitude)}/${round(view, view.longitude)}`,
    );
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}

/** To about a pixel. */
function round({ zoom }: View, degrees: number): string {
  return String(Number(degrees.toFixed(Math.min(7, Math.ceil(zoom / 3) + 1))));
}
