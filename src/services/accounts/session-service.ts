/** Sessions: made by a sign-in, found by the secret in a cookie, and ended. */

import { newSessionId } from '../../domain/ids.ts';
import { badUserInput } from '../../errors.ts';
import type {
  AccountRecord,
  SessionRecord,
  SessionUse,
  Storage,
  StorageScope,
} from '../../storage/storage.ts';
import type { SignInRequest, WriteAudit } from '../audit/audit.ts';
import { ok } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import { requireCaller, requireSession } from '../caller.ts';
import { LastUses } from '../last-uses.ts';
import type { Scope } from '../scope.ts';

import { hashOf, newSecret } from '../secrets/random-secrets.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session ends after this time without a request. */
const IDLE_MS = 14 * DAY_MS;
/** A session ends after this time in any case. */
export const SESSION_MS = 90 * DAY_MS;
/** The oldest sessions of an owner beyond this number end. */
export const MAX_SESSIONS = 100;
const MAX_USER_AGENT = 256;

const PREFIX = 'mls_';

/** What a session is made of, besides its account. */
export interface SignedIn {
  readonly userAgent: string | null;
  /** Sealed; absent after signing in with a password. */
  readonly idToken?: string | null;
}

/** A session and the secret for its cookie, which is never shown again. */
export interface StartedSession {
  readonly secret: string;
  readonly session: SessionRecord;
}

/** The public members of a session. */
export type ShownSession = Pick<SessionRecord, 'id' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'userAgent'>;

export interface SessionServiceOptions {
  readonly storage: Storage;
  readonly audit: WriteAudit;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Called when times of use could not be stored. */
  readonly onUseFailure: (error: unknown) => void;
}

export class SessionService {
  readonly #options: SessionServiceOptions;
  readonly #uses: LastUses<SessionUse>;

  constructor(options: SessionServiceOptions) {
    this.#options = options;
    const { storage, onUseFailure } = options;
    this.#uses = new LastUses((uses, intervalMs) => storage.saveSessionUses(uses, intervalMs), onUseFailure);
  }

  /** @returns null if the account is disabled, or has got another password in the meantime */
  async start(
    { ownerId, passwordHash }: AccountRecord,
    { userAgent, idToken = null }: SignedIn,
  ): Promise<StartedSession | null> {
    const { storage, clock } = this.#options;
    const secret = newSecret(PREFIX);
    const now = clock();
    const session: SessionRecord = {
      id: newSessionId(),
      hash: hashOf(secret),
      ownerId,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: now + IDLE_MS,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      idToken,
    };
    await this.#makeRoom(ownerId);
    await storage.insertSession(session);
    // Whoever disables an account or sets its password ends its sessions afterwards: that includes this session, or this
    // read sees the change.
    const account = await storage.findAccount(ownerId);
    if (account !== null && !account.isDisabled && account.passwordHash === passwordHash) {
      return { secret, session };
    }
    await storage.removeSessions(ownerId, [session.id]);
    return null;
  }

  async #makeRoom(ownerId: string): Promise<void> {
    const { storage } = this.#options;
    const sessions = await storage.listSessions(ownerId);
    const oldest = sessions.slice(0, Math.max(0, sessions.length + 1 - MAX_SESSIONS)).map(({ id }) => id);
    if (oldest.length > 0) await storage.removeSessions(ownerId, oldest);
  }

  /** Stores the time of use a little later. @returns null for an unknown, expired or ended session */
  async authenticate(secret: string, scope?: StorageScope): Promise<Caller | null> {
    if (!secret.startsWith(PREFIX)) return null;
    const { storage, clock } = this.#options;
    const session = await storage.findSessionByHash(hashOf(secret), scope);
    const now = clock();
    if (session === null || session.expiresAt <= now) return null;
    const { id, ownerId, ownerName, createdAt, lastUsedAt } = session;
    const expiresAt = Math.min(now + IDLE_MS, createdAt + SESSION_MS);
    this.#uses.note(id, lastUsedAt, { sessionId: id, usedAt: now, expiresAt });
    return {
      kind: 'session',
      ownerId,
      ownerName,
      scope: 'write',
      mapId: null,
      tokenId: `session:${ownerId}`,
      sessionId: id,
      // It is extended by use, so nothing that the caller makes ends with it.
      expiresAt: null,
      isOwnerStored: true,
    };
  }

  /** Ends the session of a cookie. @returns the session; null if there is none */
  signOut(request: SignInRequest, secret: string): Promise<SessionRecord | null> {
    return this.signOutByHash(request, hashOf(secret));
  }

  /** As {@link signOut}. @param secretHash see {@link SessionRecord.hash} */
  async signOutByHash(request: SignInRequest, secretHash: string): Promise<SessionRecord | null> {
    const { storage, audit } = this.#options;
    const session = await storage.findSessionByHash(secretHash);
    if (session === null) return null;
    return audit.runSignIn(request, 'signOut', session.ownerName, async () => {
      await storage.removeSessions(session.ownerId, [session.id]);
      return session;
    });
  }

  /** The owner's sessions, the one that was used last first; none for a caller without a session. */
  async list(scope: Scope): Promise<readonly ShownSession[]> {
    const { storage, clock } = this.#options;
    const { ownerId, sessionId } = requireCaller(scope.caller);
    if (sessionId === null) return [];
    const now = clock();
    const sessions = await storage.listSessions(ownerId, scope);
    return sessions
      .filter(({ expiresAt }) => expiresAt > now)
      .sort((a, b) => b.lastUsedAt - a.lastUsedAt || b.createdAt - a.createdAt);
  }

  /**
   * Ends sessions of the owner. Unknown ids are ignored.
   *
   * @param ids null for all but that of the request
   * @returns the ids of those that were ended
   * @throws ServiceError UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT
   */
  end(scope: Scope, ids: readonly string[] | null): Promise<readonly string[]> {
    const audited = {
      operation: 'endSessions',
      subject: { mapId: null, ids: ids ?? [] },
      done: (ended: readonly string[]) => ok(null, ended),
    };
    return this.#options.audit.run(scope, audited, () => {
      const { ownerId, sessionId } = requireSession(scope.caller);
      if (ids !== null && ids.length > MAX_SESSIONS) {
        throw badUserInput(`ids has ${ids.length} sessions; at most ${MAX_SESSIONS} are allowed.`);
      }
      return this.#options.storage.removeSessions(ownerId, ids ?? { except: sessionId });
    });
  }

  /** Stores pending times of use. Call it before the store is closed. */
  saveUses(): Promise<void> {
    return this.#uses.save();
  }
}
