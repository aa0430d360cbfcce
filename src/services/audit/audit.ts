/** The audit log: one line for every write by a valid token, for every write of the command line, and for every sign-in. */

import {
  isInvitationId,
  isLocationIdOf,
  isMapId,
  isOwnerId,
  isSessionId,
  isTokenId,
  isWebhookId,
} from '../../domain/ids.ts';
import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import { OPERATOR_TOKEN_ID } from '../caller.ts';
import type { Scope } from '../scope.ts';

/** The result of a write. `replayed`: an earlier write with the same idempotency key had made it. */
export type Outcome = 'ok' | 'replayed' | ErrorCode;

/** A line, with its members in this order. It holds ids and names only: no values, no secrets. */
export interface AuditLine {
  /** ISO 8601. */
  readonly time: string;
  /** Null for the command line. */
  readonly requestId: string | null;
  readonly owner: string | null;
  /** Null for the command line, and for signing in and out. */
  readonly tokenId: string | null;
  /** Name of the mutation, for GraphQL and /v0 alike. */
  readonly operation: string;
  /** Null if the write is about no map, or if the id cannot be one. */
  readonly mapId: string | null;
  /** Of locations, tokens, webhooks, members, invitations or sessions: the written ones, or for a failure the requested ones. */
  readonly ids: readonly string[];
  readonly outcome: Outcome;
}

/** Must not throw. */
export type WriteLine = (line: AuditLine) => void;

/** What a write is about. Ids are unchecked client input. */
export interface Subject {
  readonly mapId: string | null;
  readonly ids: readonly string[];
}

/** What a write has done. */
export interface Done extends Subject {
  readonly outcome: Outcome;
}

export interface AuditedWrite<T> {
  /** Name of the mutation. */
  readonly operation: string;
  /** Logged if the write fails, and if it succeeds without {@link AuditedWrite.done}. */
  readonly subject: Subject;
  /** What to log of a successful write; by default `ok` for the subject. */
  readonly done?: (result: T) => Done;
}

/** A request that signs in or out, which has no caller yet. */
export interface SignInRequest {
  readonly requestId: string;
}

/** Services run their writes through it. */
export interface WriteAudit {
  /**
   * Runs a client's write and logs its outcome.
   *
   * @param write gets the scope of its writes (history/calls.ts)
   * @throws what the write throws
   */
  run<T>(scope: Scope, audited: AuditedWrite<T>, write: (scope: Scope) => Promise<T>): Promise<T>;
  /** The same for the operator. @param owner null if unknown */
  runOperator<T>(owner: string | null, audited: AuditedWrite<T>, write: () => Promise<T>): Promise<T>;
  /**
   * The same for signing in or out. A failed sign-in is logged as `signInFailed`.
   *
   * @param owner null if there is none of that name, which is not logged: people type passwords into the wrong field
   */
  runSignIn<T>(
    request: SignInRequest,
    operation: string,
    owner: string | null,
    write: () => Promise<T>,
  ): Promise<T>;
}

/** For deployments without an audit log. */
export const NO_AUDIT: WriteAudit = {
  run: (scope, _audited, write) => write(scope),
  runOperator: (_owner, _audited, write) => write(),
  runSignIn: (_request, _operation, _owner, write) => write(),
};

const MAX_IDS = 1_000;

export class Audit implements WriteAudit {
  readonly #writeLine: WriteLine;
  readonly #clock: () => number;
  readonly #noted = new WeakSet<Scope>();

  /** @param clock milliseconds since the epoch */
  constructor(writeLine: WriteLine, clock: () => number) {
    this.#writeLine = writeLine;
    this.#clock = clock;
  }

  run<T>(scope: Scope, audited: AuditedWrite<T>, write: (scope: Scope) => Promise<T>): Promise<T> {
    const note = (subject: Subject, outcome: Outcome) =>
      this.note(scope, audited.operation, subject, outcome);
    return runNoted(audited, () => write(scope), note);
  }

  runOperator<T>(owner: string | null, audited: AuditedWrite<T>, write: () => Promise<T>): Promise<T> {
    const { operation } = audited;
    const note = (subject: Subject, outcome: Outcome) =>
      this.#write({ ...visible(subject), requestId: null, owner, tokenId: null, operation, outcome });
    return runNoted(audited, write, note);
  }

  runSignIn<T>(
    { requestId }: SignInRequest,
    operation: string,
    owner: string | null,
    write: () => Promise<T>,
  ): Promise<T> {
    const audited = { operation, subject: { mapId: null, ids: [] } };
    return runNoted(audited, write, (subject, outcome) =>
      this.#write({
        ...visible(subject),
        ...{ requestId, owner, tokenId: null, outcome },
        operation: operation === 'signIn' && outcome !== 'ok' ? 'signInFailed' : operation,
      }),
    );
  }

  /** Whether a write of this request has a line. */
  has(scope: Scope): boolean {
    return this.#noted.has(scope);
  }

  /** Requests without a valid token leave no line. */
  note(scope: Scope, operation: string, subject: Subject, outcome: Outcome): void {
    const { caller } = scope;
    if (caller === null || outcome === 'UNAUTHENTICATED') return;
    this.#noted.add(scope);
    this.#write({
      ...visible(subject),
      requestId: scope.requestId ?? null,
      owner: caller.ownerName,
      tokenId: tokenIdOf(caller),
      operation,
      outcome,
    });
  }

  #write({ requestId, owner, tokenId, operation, mapId, ids, outcome }: Omit<AuditLine, 'time'>): void {
    const time = new Date(this.#clock()).toISOString();
    this.#writeLine({ time, requestId, owner, tokenId, operation, mapId, ids, outcome });
  }
}

async function runNoted<T>(
  { subject, done }: AuditedWrite<T>,
  write: () => Promise<T>,
  note: (subject: Subject, outcome: Outcome) => void,
): Promise<T> {
  let result: T;
  try {
    result = await write();
  } catch (error) {
    note(subject, codeOf(error));
    throw error;
  }
  const { outcome, mapId, ids } = done?.(result) ?? ok(subject.mapId, subject.ids);
  note({ mapId, ids }, outcome);
  return result;
}

/** Drops whatever is not a well-formed id, so that clients cannot write into the log. */
function visible({ mapId, ids }: Subject): Subject {
  const isVisible = (id: string) =>
    [isTokenId, isWebhookId, isOwnerId, isInvitationId, isSessionId].some((is) => is(id)) ||
    (mapId !== null && isLocationIdOf(mapId, id));
  return {
    mapId: mapId !== null && isMapId(mapId) ? mapId : null,
    ids: ids.filter(isVisible).slice(0, MAX_IDS),
  };
}

export function ok(mapId: string | null, ids: readonly string[]): Done {
  return { mapId, ids, outcome: 'ok' };
}

export function codeOf(error: unknown): ErrorCode {
  return error instanceof ServiceError ? error.code : 'INTERNAL_SERVER_ERROR';
}

function tokenIdOf({ tokenId }: Caller): string | null {
  return tokenId === OPERATOR_TOKEN_ID ? null : tokenId;
}
