/** Tokens, and the links to maps among them: part of the storage port. All times are milliseconds since the epoch. */

import type { StorageScope } from './storage-scope.ts';

export type TokenScope = 'read' | 'write';

export type TokenKind = 'token' | 'link';

export interface TokenRecord {
  readonly id: string;
  /** A link gives access to its map without the rights of its owner, who made it. */
  readonly kind: TokenKind;
  readonly ownerId: string;
  /** SHA-256 of the token, lower-case hex. The token itself is never stored. */
  readonly hash: string;
  /** The owner's label for it. */
  readonly name: string | null;
  readonly scope: TokenScope;
  /** The only map that the token gives access to; null for all of the owner's. */
  readonly mapId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Null until its first use. Later uses are stored at intervals; see {@link TokenStorage.saveTokenUses}. */
  readonly lastUsedAt: number | null;
}

/** A page of an owner's tokens. */
export interface TokensPage {
  readonly limit: number;
  /** The last token of the previous page; null for the first page. */
  readonly after: Pick<TokenRecord, 'id' | 'createdAt'> | null;
}

/** A request authenticated with a token. */
export interface TokenUse {
  readonly tokenId: string;
  readonly usedAt: number;
}

export interface TokenWithOwner extends TokenRecord {
  readonly ownerName: string;
}

export interface TokenStorage {
  insertToken(token: TokenRecord): Promise<void>;
  /** Finds expired and revoked tokens too. This method and the following ones include links. */
  findTokenByHash(hash: string, scope?: StorageScope): Promise<TokenWithOwner | null>;
  /** As {@link findTokenByHash}, by id. */
  findToken(id: string, scope?: StorageScope): Promise<TokenWithOwner | null>;
  /** All tokens by time of creation; with `ownerId` that owner's only, or a page of them. */
  listTokens(ownerId?: string, page?: TokensPage): Promise<readonly TokenWithOwner[]>;
  /** Revokes a token. One that is already revoked keeps its time. Resolves to whether the token exists. */
  revokeToken(id: string, revokedAt: number): Promise<boolean>;
  /**
   * Stores when tokens were last used. Ignores unknown tokens, and uses less than `intervalMs` after the stored one, so
   * that each token is written once per interval, by any number of processes.
   */
  saveTokenUses(uses: readonly TokenUse[], intervalMs: number): Promise<void>;
}
