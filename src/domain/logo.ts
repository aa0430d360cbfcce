/** The logo of a map's page. */

/** Media types of logos. */
export const LOGO_TYPES = ['image/png', 'image/webp', 'image/svg+xml'] as const;

export type LogoType = (typeof LOGO_TYPES)[number];

/** What a map says about its logo. */
export interface LogoInfo {
  readonly type: LogoType;
  /** SHA-256 of the file, lower-case hex. */
  readonly hash: string;
  readonly bytes: number;
}

export const MAX_LOGO_BYTES = 256 * 1024;
