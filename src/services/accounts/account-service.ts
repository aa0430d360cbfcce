/** Accounts: shown to their people, and managed by the operator. */

import { nearestName } from '../../domain/nearest-name.ts';
import { issuerOf, shownName } from '../../domain/owner-name.ts';
import { quote } from '../../domain/text.ts';
import { badUserInput } from '../../errors.ts';
import type { AccountRecord, OwnerRecord, Storage } from '../../storage/storage.ts';
import type { AuditedWrite, WriteAudit } from '../audit/audit.ts';
import { isLimited, requireCaller } from '../caller.ts';
import type { DemoMapService } from '../maps/demo-map.ts';
import type { Scope } from '../scope.ts';
import { assertName } from '../tokens/token-service.ts';
import { assertAccountName, nameTaken, newAccountOwner } from './account-owners.ts';
import type { IssuedLink } from './sign-in-links.ts';
import { SignInLinks } from './sign-in-links.ts';

export interface ShownAccount {
  readonly name: string;
  /** See {@link shownName}. */
  readonly displayName: string;
  readonly hasPassword: boolean;
  /** The issuer of an owner of OpenID Connect; null for others. */
  readonly provider: string | null;
  readonly isDisabled: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface AccountServiceOptions {
  readonly storage: Storage;
  readonly audit: WriteAudit;
  readonly demoMap: DemoMapService;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export class AccountService {
  readonly #options: AccountServiceOptions;
  readonly #links: SignInLinks;

  constructor(options: AccountServiceOptions) {
    this.#options = options;
    this.#links = new SignInLinks(options.storage, options.clock);
  }

  /** The caller's account; null if there is none, or for a token that is read-only or limited to one map. */
  async ofCaller(scope: Scope): Promise<ShownAccount | null> {
    const caller = requireCaller(scope.caller);
    if (isLimited(caller)) return null;
    const { storage } = this.#options;
    const account = await storage.findAccount(caller.ownerId, scope);
    const [owner = null] = account === null ? [] : await storage.findOwners([caller.ownerId], scope);
    return account === null || owner === null ? null : shownOf(account, owner);
  }

  /** By name. */
  async list(): Promise<readonly ShownAccount[]> {
    const { storage } = this.#options;
    const [accounts, owners] = await Promise.all([storage.listAccounts(), storage.listOwners()]);
    const byOwner = new Map(accounts.map((account) => [account.ownerId, account]));
    return owners.flatMap((owner) => {
      const account = byOwner.get(owner.id);
      return account === undefined ? [] : [shownOf(account, owner)];
    });
  }

  /** A link that makes the first account, under a name that its person chooses. */
  issueFirstLink(): Promise<IssuedLink> {
    return this.#links.issue('setup', null);
  }

  /**
   * Makes an account of that name, for a new owner or one that exists. An account that has no password yet gets another
   * link.
   *
   * @param options.withLink whether the person chooses a password; with a provider there is none
   * @returns the link that sets the password; null without one
   * @throws ServiceError BAD_USER_INPUT for an account that has a password, or an invalid name
   */
  create(name: string, { withLink }: { readonly withLink: boolean }): Promise<IssuedLink | null> {
    return this.#run('createAccount', name, async () => {
      assertName(name, 'name');
      const { storage, clock } = this.#options;
      const owner = (await storage.findOwnerByName(name)) ?? (await newAccountOwner(this.#options, name));
      await storage.insertAccount({
        ownerId: owner.id,
        passwordHash: null,
        isDisabled: false,
        createdAt: clock(),
      });
      const account = await storage.findAccount(owner.id);
      if (account?.isDisabled) throw isDisabled(name);
      if (account?.passwordHash) {
        throw badUserInput(
          `${quote(name)} has an account; \`map-locations account reset\` prints a link for a new password.`,
        );
      }
      return withLink ? this.#links.issue('setup', owner.id) : null;
    });
  }

  /**
   * Ends all sessions of the account and removes its password.
   *
   * @returns the link that sets a new password
   * @throws ServiceError BAD_USER_INPUT
   */
  reset(name: string): Promise<IssuedLink> {
    return this.#run('resetAccount', name, async () => {
      const { storage } = this.#options;
      const { owner, account } = await this.#find(name);
      if (account.isDisabled) throw isDisabled(name);
      await storage.updateAccount(owner.id, { passwordHash: null });
      await storage.removeSessions(owner.id, { except: null });
      return this.#links.issue('reset', owner.id);
    });
  }

  /**
   * Gives an account and its owner another name, in the history too. Sessions and tokens go on.
   *
   * @throws ServiceError BAD_USER_INPUT, also for an account of a provider; NAME_TAKEN
   */
  rename(name: string, newName: string): Promise<void> {
    return this.#run('renameAccount', name, async () => {
      assertAccountName(newName);
      const { owner } = await this.#find(name);
      if (issuerOf(name) !== null) {
        throw badUserInput(
          `${quote(name)} is known by its name at its provider; it cannot have another one.`,
        );
      }
      if (!(await this.#options.storage.renameOwner(owner.id, newName))) throw nameTaken();
    });
  }

  /**
   * Ends all sessions of the account and refuses new ones. Forgets what a provider calls its person.
   *
   * @throws ServiceError BAD_USER_INPUT
   */
  disable(name: string): Promise<void> {
    return this.#run('disableAccount', name, async () => {
      const { storage } = this.#options;
      const { owner } = await this.#find(name);
      await storage.updateAccount(owner.id, { isDisabled: true });
      await storage.removeOneTimeSecrets(owner.id);
      await storage.removeSessions(owner.id, { except: null });
      await storage.setDisplayName(owner.id, null);
    });
  }

  /** Undoes {@link disable}. @throws ServiceError BAD_USER_INPUT */
  enable(name: string): Promise<void> {
    return this.#run('enableAccount', name, async () => {
      const { owner } = await this.#find(name);
      await this.#options.storage.updateAccount(owner.id, { isDisabled: false });
    });
  }

  async #find(name: string): Promise<{ readonly owner: OwnerRecord; readonly account: AccountRecord }> {
    const { storage } = this.#options;
    const owner = await storage.findOwnerByName(name);
    const account = owner === null ? null : await storage.findAccount(owner.id);
    if (owner !== null && account !== null) return { owner, account };
    const near = nearestName(
      name,
      (await this.list()).map((other) => other.name),
    );
    throw badUserInput(
      `There is no account ${quote(name)}.${near === null ? '' : ` Did you mean ${quote(near)}?`}`,
    );
  }

  #run<T>(operation: string, name: string, write: () => Promise<T>): Promise<T> {
    const audited: AuditedWrite<T> = { operation, subject: { mapId: null, ids: [] } };
    return this.#options.audit.runOperator(name, audited, write);
  }
}

function shownOf(
  { passwordHash, isDisabled: disabled, createdAt }: AccountRecord,
  owner: OwnerRecord,
): ShownAccount {
  return {
    name: owner.name,
    displayName: shownName(owner),
    hasPassword: passwordHash !== null,
    provider: issuerOf(owner.name),
    isDisabled: disabled,
    createdAt,
  };
}

function isDisabled(name: string) {
  return badUserInput(`The account ${quote(name)} is disabled; \`map-locations account enable\` enables it.`);
}
