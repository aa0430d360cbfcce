/** Requests and variables, as plain data between http/ and the /v0 table. */

/** A request as a row sees it; the path's parameters are decoded. */
export interface V0Request {
  readonly mapId: string;
  /** Empty where the path has none. */
  readonly locationId: string;
  /** The query string without its question mark, still encoded. */
  readonly search: string;
  /** The parsed body of a POST, a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
  /** Scheme, host and prefix that absolute targets begin with. */
  readonly baseUrl: string;
}

export type Variables = Readonly<Record<string, unknown>>;
