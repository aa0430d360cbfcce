/** Requests and variables as plain data, between http/ and the /v0 table. */

/** A request as a row receives it, with decoded path parameters. */
export interface V0Request {
  readonly mapId: string;
  /** Empty if the path has none. */
  readonly locationId: string;
  /** The query string without its question mark, still percent-encoded. */
  readonly search: string;
  /** The parsed body of a POST, a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
  /** Scheme, host and path prefix of absolute links. */
  readonly baseUrl: string;
}

export type Variables = Readonly<Record<string, unknown>>;
