/** Links that set up an account or reset its password: each works once, for a day. */

import { ServiceError } from '../../errors.ts';
import type { OneTimeSecret, Storage } from '../../storage/storage.ts';
import { hashOf, newSecret } from '../secrets/random-secrets.ts';

const LINK_MS = 24 * 60 * 60 * 1000;

export type LinkPurpose = 'setup' | 'reset';

/** The secret of a link, which is never shown again. */
export interface IssuedLink {
  readonly purpose: LinkPurpose;
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

type LinkStorage = Pick<
  Storage,
  'insertOneTimeSecret' | 'findOneTimeSecret' | 'takeOneTimeSecret' | 'removeOneTimeSecrets'
>;

export class SignInLinks {
  readonly #storage: LinkStorage;
  readonly #clock: () => number;

  /** @param clock milliseconds since the epoch */
  constructor(storage: LinkStorage, clock: () => number) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Replaces earlier links of the account. @param ownerId null for an account whose name is chosen with the link */
  async issue(purpose: LinkPurpose, ownerId: string | null): Promise<IssuedLink> {
    if (ownerId !== null) await this.#storage.removeOneTimeSecrets(ownerId);
    const secret = newSecret();
    const expiresAt = this.#clock() + LINK_MS;
    await this.#storage.insertOneTimeSecret({
      hash: hashOf(secret),
      purpose,
      ownerId,
      data: null,
      expiresAt,
    });
    return { purpose, secret, expiresAt };
  }

  /** @throws ServiceError SIGN_IN_LINK_NOT_FOUND */
  async find(
    secret: string,
    purpose?: LinkPurpose,
  ): Promise<OneTimeSecret & { readonly purpose: LinkPurpose }> {
    return checked(await this.#storage.findOneTimeSecret(hashOf(secret), this.#clock()), purpose);
  }

  /**
   * Uses the link for a piece of work. One of several concurrent calls does the work; if it fails, the link stays valid.
   *
   * @throws ServiceError SIGN_IN_LINK_NOT_FOUND, and what the work throws
   */
  async use<T>(secret: string, work: () => Promise<T>): Promise<T> {
    const link = checked(await this.#storage.takeOneTimeSecret(hashOf(secret), this.#clock()));
    try {
      return await work();
    } catch (error) {
      await this.#storage.insertOneTimeSecret(link);
      throw error;
    }
  }
}

function checked(
  link: OneTimeSecret | null,
  purpose?: LinkPurpose,
): OneTimeSecret & { readonly purpose: LinkPurpose } {
  const isLink = link !== null && link.purpose !== 'provider';
  if (isLink && (purpose === undefined || link.purpose === purpose)) {
    return { ...link, purpose: link.purpose };
  }
  throw linkNotFound();
}

/** The same error for unknown, used and expired links. */
export function linkNotFound(): ServiceError {
  return new ServiceError('SIGN_IN_LINK_NOT_FOUND', 'The link is not valid: it is unknown, used or expired.');
}
