/** Signing in at an identity provider. An account belongs to the person whom the provider names by issuer and subject. */

import { derivedOwnerId } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import type { IdentityProvider, SignedIn, SignInAttempt } from '../../oidc/identity-provider.ts';
import { SignInError } from '../../oidc/identity-provider.ts';
import type { AccountRecord, SessionRecord, Storage } from '../../storage/storage.ts';
import type { SignInRequest, WriteAudit } from '../audit/audit.ts';
import type { DemoMapService } from '../maps/demo-map.ts';
import { hashOf, newSecret } from '../secrets/random-secrets.ts';
import { hasAccounts } from './account-owners.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { SecretKeyError } from '../secrets/secrets.ts';
import type { SessionService, StartedSession } from './session-service.ts';

/** How long somebody may take to sign in at the provider. */
export const ATTEMPT_MS = 10 * 60 * 1000;

export interface SignInProvider {
  readonly provider: IdentityProvider;
  /** Its name for people. */
  readonly label: string;
  /** Where it sends the browser back. */
  readonly redirectUri: string;
  /** Whether everybody whom the provider knows gets an account. */
  readonly allowsSignUp: boolean;
}

export interface ProviderServiceOptions {
  readonly storage: Storage;
  readonly audit: WriteAudit;
  readonly sessions: SessionService;
  readonly demoMap: DemoMapService;
  readonly secrets: Secrets;
  /** Null for none. */
  readonly signInProvider: SignInProvider | null;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** What the browser wants, besides signing in. */
interface Wish {
  /** Where to go afterwards. Unchecked. */
  readonly returnTo: string | null;
  /** Hash of its session so far, which ends: on the way back from another site, browsers do not send its cookie. */
  readonly formerSession: string | null;
}

type PendingSignIn = SignInAttempt & Wish;

export class ProviderService {
  readonly #options: ProviderServiceOptions;

  constructor(options: ProviderServiceOptions) {
    this.#options = options;
  }

  /** The provider's name for people; null if there is no provider. */
  get label(): string | null {
    return this.#options.signInProvider?.label ?? null;
  }

  /**
   * Starts a sign-in.
   *
   * @param options.session secret of the browser's session; null for none
   * @returns where to send the browser, and a secret that only this browser may get
   * @throws SignInError; ServiceError NOT_FOUND without a provider
   */
  async begin({
    returnTo,
    session,
  }: {
    readonly returnTo: string | null;
    readonly session: string | null;
  }): Promise<{ readonly url: string; readonly secret: string }> {
    const { storage, clock } = this.#options;
    const { url, attempt } = await this.#required().provider.begin();
    const formerSession = session === null ? null : hashOf(session);
    const pending: PendingSignIn = { ...attempt, returnTo, formerSession };
    const secret = newSecret();
    await storage.insertOneTimeSecret({
      hash: hashOf(secret),
      purpose: 'provider',
      ownerId: null,
      data: JSON.stringify(pending),
      expiresAt: clock() + ATTEMPT_MS,
    });
    return { url, secret };
  }

  /**
   * Completes the sign-in that {@link begin} started, once.
   *
   * @param search query string of the callback
   * @param secret of the browser's sign-in; null if it has none
   * @throws SignInError; ServiceError FORBIDDEN for somebody without an account, NOT_FOUND without a provider
   */
  async complete(
    request: SignInRequest & { readonly userAgent: string | null },
    search: string,
    secret: string | null,
  ): Promise<{ readonly started: StartedSession; readonly returnTo: string | null }> {
    const { storage, sessions, clock } = this.#options;
    const { provider, redirectUri } = this.#required();
    const callback = new URL(redirectUri);
    callback.search = search;
    const pending = secret === null ? null : await this.#find(secret);
    // A forged callback must not use up the sign-in.
    if (secret === null || pending === null || callback.searchParams.get('state') !== pending.state) {
      throw stateMismatch();
    }
    if ((await storage.takeOneTimeSecret(hashOf(secret), clock())) === null) throw stateMismatch();
    const started = await this.#start(request, await provider.complete(callback, pending));
    const { returnTo, formerSession } = pending;
    if (formerSession !== null) await sessions.signOutByHash(request, formerSession);
    return { started, returnTo };
  }

  /** Where to send the browser to sign out at the provider, too; null if the session is not of the provider. */
  async signOutUrl({ idToken }: SessionRecord): Promise<string | null> {
    const { signInProvider, secrets } = this.#options;
    if (signInProvider === null || idToken === null) return null;
    let opened: string;
    try {
      opened = secrets.open(idToken);
    } catch (error) {
      // SECRET_KEY has been changed since.
      if (error instanceof SecretKeyError) return null;
      throw error;
    }
    return signInProvider.provider.signOutUrl(opened);
  }

  async #find(secret: string): Promise<PendingSignIn | null> {
    const { storage, clock } = this.#options;
    const found = await storage.findOneTimeSecret(hashOf(secret), clock());
    if (found?.purpose !== 'provider' || found.data === null) return null;
    return JSON.parse(found.data) as PendingSignIn;
  }

  #start(
    request: SignInRequest & { readonly userAgent: string | null },
    { ownerName, name, idToken }: SignedIn,
  ): Promise<StartedSession> {
    const { storage, sessions, secrets, audit } = this.#options;
    return audit.runSignIn(request, 'signIn', ownerName, async () => {
      const account = (await this.#findAccount(ownerName)) ?? (await this.#signUp(request, ownerName));
      const signedIn = { userAgent: request.userAgent, idToken: secrets.seal(idToken) };
      const started = account === null ? null : await sessions.start(account, signedIn);
      if (started === null) throw notAllowed();
      // Also where the provider has no name any more.
      await storage.setDisplayName(started.session.ownerId, name);
      return started;
    });
  }

  async #findAccount(ownerName: string): Promise<AccountRecord | null> {
    const { storage } = this.#options;
    const owner = await storage.findOwnerByName(ownerName);
    return owner === null ? null : storage.findAccount(owner.id);
  }

  /** Null if nobody may sign up. */
  async #signUp(request: SignInRequest, ownerName: string): Promise<AccountRecord | null> {
    const { storage, audit, demoMap, signInProvider, clock } = this.#options;
    if (!signInProvider?.allowsSignUp) return null;
    return audit.runSignIn(request, 'createAccount', ownerName, async () => {
      const now = clock();
      const isFirst = !(await hasAccounts(storage));
      // As for the caller of a JWT: both are the same person.
      const id = derivedOwnerId(ownerName);
      const { owner } = await storage.findOrCreateOwner({ id, name: ownerName, createdAt: now });
      const account = { ownerId: owner.id, passwordHash: null, isDisabled: false, createdAt: now };
      await storage.insertAccount(account);
      // The map only. Unlike a setup link, the provider lets in people whom the operator does not know, so the first one does
      // not get the demo's owner, whose token the operator may use for other maps.
      if (isFirst) await demoMap.addOwner(owner.id, now);
      return storage.findAccount(owner.id);
    });
  }

  /** @throws ServiceError NOT_FOUND */
  #required(): SignInProvider {
    const { signInProvider } = this.#options;
    if (signInProvider === null) {
      throw new ServiceError('NOT_FOUND', 'This server has no identity provider.');
    }
    return signInProvider;
  }
}

function stateMismatch(): SignInError {
  return new SignInError('state_mismatch', 'The callback belongs to no sign-in of this browser.');
}

function notAllowed(): ServiceError {
  return new ServiceError('FORBIDDEN', 'The person has no account, or it is disabled.');
}
