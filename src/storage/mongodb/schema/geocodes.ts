/** Cached geocodes, and quotas of geocoding. */

export interface GeocodeDocument {
  readonly _id: string;
  readonly provider: string;
  readonly mapId?: string;
  /** Absent if the provider does not know the address. */
  readonly place?: {
    readonly placeId: string;
    readonly latitude: number;
    readonly longitude: number;
    readonly precision: string;
  };
  readonly storedAt: Date;
  readonly expiresAt?: Date;
}

export interface QuotaDocument {
  readonly _id: string;
  readonly count: number;
  readonly expiresAt: Date;
}
