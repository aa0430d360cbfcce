/** The reader's position, which is asked for only when the reader presses the button. */

import type { Point } from '../shared/map/map-view.ts';

/** Why there is no position. */
export type PositionProblem = 'denied' | 'framed' | 'insecure' | 'unavailable';

/** About 100 metres: the server need not know it better. */
const DECIMALS = 3;
/** Milliseconds. */
const TIMES = { timeout: 20_000, maximumAge: 60_000 };
/** The code of the API for a refusal by the reader, by the browser, or by the page around a frame. */
const PERMISSION_DENIED = 1;

export class NearMe {
  /** Rounded; null while the list is in its own order. */
  position = $state.raw<Point | null>(null);
  isLoading = $state(false);
  problem = $state<PositionProblem | null>(null);

  /** @param position from the page's address, or null */
  constructor(position: Point | null) {
    this.position = position;
  }

  async locate(): Promise<void> {
    if (this.isLoading) return;
    this.problem = null;
    // Browsers have no position for pages that others on the network can change.
    if (!window.isSecureContext) {
      this.problem = 'insecure';
      return;
    }
    this.isLoading = true;
    try {
      const { coords } = await new Promise<GeolocationPosition>((resolve, reject) => {
        navigator.geolocation.getCurrentPosition(resolve, reject, TIMES);
      });
      this.position = rounded(coords);
    } catch (error) {
      const { code } = error as Partial<GeolocationPositionError>;
      // The page around a frame has to allow it, too, and a browser may not say which of them did not.
      const refusal = window.parent === window ? 'denied' : 'framed';
      this.problem = code === PERMISSION_DENIED ? refusal : 'unavailable';
    } finally {
      this.isLoading = false;
    }
  }

  forget(): void {
    this.position = null;
    this.problem = null;
  }
}

/** Reads `LATITUDE,LONGITUDE`. Null for anything else. */
export function positionIn(text: string | null): Point | null {
  const parts = (text ?? '').split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latitude = Number.NaN, longitude = Number.NaN] = parts;
  const isValid = parts.length === 2 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isValid ? rounded({ latitude, longitude }) : null;
}

function rounded({ latitude, longitude }: Point): Point {
  return { latitude: Number(latitude.toFixed(DECIMALS)), longitude: Number(longitude.toFixed(DECIMALS)) };
}
