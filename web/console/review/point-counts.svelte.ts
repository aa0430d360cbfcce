/** How many points of a map nobody has checked, and which of them to review. */

import { IMPRECISE } from '../common/precision.ts';
import type { Session } from '../common/session.svelte.ts';
import type {
  GeocodingFilter,
  GeocodingPrecision,
  LocationFilter,
  RowFragment,
} from '../generated/operations.ts';
import { PointCountsDocument } from '../generated/operations.ts';

const AMBIGUOUS: GeocodingFilter = { isChecked: false, isAmbiguous: true };

/** Points that nobody has checked, and that may be wrong. */
export const TO_REVIEW: LocationFilter = {
  or: [{ geocoding: { isChecked: false, precision: [...IMPRECISE] } }, { geocoding: AMBIGUOUS }],
};

/** As {@link TO_REVIEW}. */
export function needsReview({ precision, isAmbiguous, isChecked }: RowFragment['geocoding']): boolean {
  return !isChecked && (IMPRECISE.includes(precision) || isAmbiguous);
}

interface Counts {
  /** Unchecked points by precision, from the most precise on; at least 1 each. */
  readonly unchecked: readonly { readonly precision: GeocodingPrecision; readonly count: number }[];
  /** Unchecked points with another place of that name. */
  readonly ambiguous: number;
  readonly toReview: number;
}

export class PointCounts {
  /** Null until loaded. */
  current = $state.raw<Counts | null>(null);
  readonly #session: Session;
  readonly #mapId: string;

  constructor(session: Session, mapId: string) {
    this.#session = session;
    this.#mapId = mapId;
  }

  /** Never rejects: without new counts, the former ones stay, and the page works. */
  async load(): Promise<void> {
    const variables = { id: this.#mapId, ambiguous: { geocoding: AMBIGUOUS }, toReview: TO_REVIEW };
    const map = await this.#session.request(PointCountsDocument, variables).then(
      (result) => result.map,
      () => null,
    );
    if (map === null) return;
    this.current = {
      unchecked: map.geocodingCounts.filter(({ isChecked }) => !isChecked),
      ambiguous: map.ambiguous?.totalCount ?? 0,
      toReview: map.toReview?.totalCount ?? 0,
    };
  }
}
