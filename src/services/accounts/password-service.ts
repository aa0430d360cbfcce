/** Signing in with a password: setting up an account, resetting and changing its password. */

import { derivedOwnerId } from '../../domain/ids.ts';
import { badUserInput, ServiceError } from '../../errors.ts';
import type { OwnerRecord, Storage } from '../../storage/storage.ts';
import type { SignInRequest, WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import { requireSession } from '../caller.ts';
import type { DemoMapService } from '../maps/demo-map.ts';
import type { Scope } from '../scope.ts';
import { isOwnerName } from '../tokens/token-service.ts';
import { assertAccountName, hasAccounts, nameTaken, newAccountOwner } from './account-owners.ts';
import type { Passwords } from './passwords.ts';
import { assertNewPassword } from './passwords.ts';
import type { SessionService, StartedSession } from './session-service.ts';
import { attemptsAtAccount, attemptsFromAddress, SignInAttempts } from './sign-in-attempts.ts';
import type { LinkPurpose } from './sign-in-links.ts';
import { linkNotFound, SignInLinks } from './sign-in-links.ts';

/** The request of a browser that signs in. */
export interface BrowserRequest extends SignInRequest {
  /** Of the client. */
  readonly address: string;
  readonly userAgent: string | null;
}

export interface SetUpInput {
  readonly secret: string;
  /** Null if the link is for a certain account. */
  readonly name: string | null;
  readonly password: string;
}

export interface PasswordServiceOptions {
  readonly storage: Storage;
  readonly audit: WriteAudit;
  readonly sessions: SessionService;
  readonly demoMap: DemoMapService;
  readonly passwords: Passwords;
  /** Whether people may sign in with passwords. */
  readonly isEnabled: boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export class PasswordService {
  readonly #options: PasswordServiceOptions;
  readonly #links: SignInLinks;
  readonly #attempts: SignInAttempts;

  constructor(options: PasswordServiceOptions) {
    this.#options = options;
    this.#links = new SignInLinks(options.storage, options.clock);
    this.#attempts = new SignInAttempts(options.storage, options.clock);
  }

  get isEnabled(): boolean {
    return this.#options.isEnabled;
  }

  /**
   * Takes as long for an unknown name as for a wrong password.
   *
   * @throws ServiceError FORBIDDEN, SIGN_IN_FAILED, RATE_LIMITED, OVERLOADED
   */
  async signIn(
    request: BrowserRequest,
    { name, password }: { readonly name: string; readonly password: string },
  ): Promise<StartedSession> {
    this.#assertEnabled();
    const { storage, passwords, sessions, audit } = this.#options;
    const owner = isOwnerName(name) ? await storage.findOwnerByName(name) : null;
    const signIn = async (): Promise<StartedSession | null> => {
      const account = await storage.findAccount(owner?.id ?? derivedOwnerId(name));
      const isRight = await passwords.verify(password, account?.passwordHash ?? null);
      return isRight && account !== null ? sessions.start(account, request) : null;
    };
    return audit.runSignIn(request, 'signIn', owner?.name ?? null, async () => {
      const names = [attemptsAtAccount(name), attemptsFromAddress(request.address)];
      const started = await this.#attempts.count(names, signIn);
      if (started === null) throw signInFailed();
      return started;
    });
  }

  /** What a link is for, and the name of its account; null if it is yet to be chosen. @throws ServiceError SIGN_IN_LINK_NOT_FOUND */
  async findLink(secret: string): Promise<{ readonly purpose: LinkPurpose; readonly name: string | null }> {
    const { purpose, ownerId } = await this.#findLink(secret);
    return { purpose, name: ownerId === null ? null : (await this.#ownerOf(ownerId)).name };
  }

  /**
   * Sets up the account of a link, and signs in.
   *
   * @param input `name` is ignored if the link is for a certain account
   * @throws ServiceError FORBIDDEN, SIGN_IN_LINK_NOT_FOUND, NAME_TAKEN, BAD_USER_INPUT, OVERLOADED
   */
  async setUp(request: BrowserRequest, { secret, name, password }: SetUpInput): Promise<StartedSession> {
    this.#assertEnabled();
    const { ownerId } = await this.#findLink(secret, 'setup');
    if (ownerId === null) return this.#setUpFirst(request, { secret, name, password });
    const owner = await this.#ownerOf(ownerId);
    return this.#setPassword(request, 'setUpAccount', owner, { secret, password });
  }

  async #setUpFirst(
    request: BrowserRequest,
    { secret, name, password }: SetUpInput,
  ): Promise<StartedSession> {
    if (name === null) throw badUserInput('name is required: the link is for an account without a name.');
    assertAccountName(name);
    assertNewPassword(password);
    const { storage, demoMap, passwords, sessions, audit, clock } = this.#options;
    return audit.runSignIn(request, 'setUpAccount', name, async () => {
      const passwordHash = await passwords.hash(password);
      const account = await this.#links.use(secret, async () => {
        const { id } = await newAccountOwner({ storage, demoMap, clock }, name);
        const created = { ownerId: id, passwordHash, isDisabled: false, createdAt: clock() };
        if (!(await storage.insertAccount(created))) throw nameTaken();
        return created;
      });
      return required(await sessions.start(account, request));
    });
  }

  /**
   * Sets the password of a link's account, ends its sessions, and signs in.
   *
   * @throws ServiceError FORBIDDEN, SIGN_IN_LINK_NOT_FOUND, SIGN_IN_FAILED, BAD_USER_INPUT, OVERLOADED
   */
  async reset(
    request: BrowserRequest,
    { secret, password }: { readonly secret: string; readonly password: string },
  ): Promise<StartedSession> {
    this.#assertEnabled();
    const { ownerId } = await this.#links.find(secret, 'reset');
    if (ownerId === null) throw new Error('A link to reset a password has no account.');
    return this.#setPassword(request, 'resetPassword', await this.#ownerOf(ownerId), { secret, password });
  }

  /**
   * Ends all sessions but that of the request.
   *
   * @returns the ids of the sessions that were ended
   * @throws ServiceError FORBIDDEN; SIGN_IN_FAILED for a wrong current password; RATE_LIMITED, BAD_USER_INPUT, OVERLOADED
   */
  change(
    scope: Scope,
    { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<readonly string[]> {
    const { storage, passwords, audit } = this.#options;
    const audited = {
      operation: 'changePassword',
      subject: { mapId: null, ids: [] },
      done: (ended: readonly string[]) => ok(null, ended),
    };
    return audit.run(scope, audited, async () => {
      const { ownerId, ownerName, sessionId } = requireSession(scope.caller);
      this.#assertEnabled();
      assertNewPassword(newPassword, 'newPassword');
      const current = (await storage.findAccount(ownerId))?.passwordHash ?? null;
      if (current === null) throw badUserInput('Your account has no password that could be changed.');
      const isRight = await this.#attempts.count([attemptsAtAccount(ownerName)], async () =>
        (await passwords.verify(currentPassword, current)) ? true : null,
      );
      const passwordHash = isRight ? await passwords.hash(newPassword) : '';
      // Another call may have changed the password meanwhile, so that the current one is wrong by now.
      if (!isRight || !(await storage.updateAccount(ownerId, { passwordHash }, current))) {
        throw new ServiceError('SIGN_IN_FAILED', 'currentPassword is wrong.');
      }
      await storage.removeOneTimeSecrets(ownerId);
      return storage.removeSessions(ownerId, { except: sessionId });
    });
  }

  #setPassword(
    request: BrowserRequest,
    operation: string,
    { id, name }: OwnerRecord,
    { secret, password }: { readonly secret: string; readonly password: string },
  ): Promise<StartedSession> {
    const { storage, passwords, sessions, audit } = this.#options;
    assertNewPassword(password);
    return audit.runSignIn(request, operation, name, async () => {
      const passwordHash = await passwords.hash(password);
      await this.#links.use(secret, () => storage.updateAccount(id, { passwordHash }));
      await storage.removeOneTimeSecrets(id);
      await storage.removeSessions(id, { except: null });
      const account = await storage.findAccount(id);
      return required(account === null ? null : await sessions.start(account, request));
    });
  }

  /** The link of a first start works until there is an account. */
  async #findLink(secret: string, purpose?: LinkPurpose) {
    const link = await this.#links.find(secret, purpose);
    if (link.ownerId === null && (await hasAccounts(this.#options.storage))) throw linkNotFound();
    return link;
  }

  async #ownerOf(ownerId: string): Promise<OwnerRecord> {
    const owner = await this.#options.storage.findOwner(ownerId);
    if (owner === null) throw new Error(`The owner ${ownerId} of a link does not exist.`);
    return owner;
  }

  #assertEnabled(): void {
    if (this.#options.isEnabled) return;
    throw new ServiceError('FORBIDDEN', 'This server does not accept passwords.');
  }
}

/** @throws ServiceError SIGN_IN_FAILED for an account that was disabled or changed in the meantime */
function required(started: StartedSession | null): StartedSession {
  if (started === null) throw signInFailed();
  return started;
}

/** The same error for unknown names, wrong passwords and disabled accounts. */
function signInFailed(): ServiceError {
  return new ServiceError('SIGN_IN_FAILED', 'The name or the password is wrong.');
}
