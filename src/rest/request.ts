/** Requests and variables as plain data, between http/ and the /v0 table. */

/** A request as a row sees it. The path's parameters are decoded. */
export interface V0Request {
  readonly mapId: string;
  /** Empty when the path has none. */
  readonly locationId: string;
  /** The query string without its question mark, still percent-encoded. */
  readonly search: string;
  /** The parsed body of a POST, a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
  /** Scheme, host and path prefix with which absolute links begin. */
  readonly baseUrl: string;
}

export type Variables = Readonly<Record<string, unknown>>;
