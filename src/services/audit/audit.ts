/** The audit log: a line for every write that was asked for with a valid token, and for those of the command line. */

import { isLocationIdOf, isMapId, isTokenId, isWebhookId } from '../../domain/ids.ts';
import type { ErrorCode } from '../../errors.ts';
import { ServiceError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import { OPERATOR_TOKEN_ID } from '../caller.ts';
import type { Scope } from '../scope.ts';

/** What became of a write. `replayed`: it had been made before, under its idempotency key. */
export type Outcome = 'ok' | 'replayed' | ErrorCode;

/** A line, with its members in this order. It holds ids and names alone: no values, and no secrets. */
export interface AuditLine {
  /** ISO 8601. */
  readonly time: string;
  /** Null for the command line. */
  readonly requestId: string | null;
  readonly owner: string | null;
  /** Null for the command line. */
  readonly tokenId: string | null;
  /** The mutation's name, in both interfaces. */
  readonly operation: string;
  /** Null where the write is about no map, or none that can exist. */
  readonly mapId: string | null;
  /** Of locations, tokens and webhooks: those that were written, or where it failed those that it named. */
  readonly ids: readonly string[];
  readonly outcome: Outcome;
}

/** Must not throw. */
export type WriteLine = (line: AuditLine) => void;

/** What a write is about. Ids may be anything that a client sent. */
export interface Subject {
  readonly mapId: string | null;
  readonly ids: readonly string[];
}

export const NO_SUBJECT: Subject = { mapId: null, ids: [] };

const MAX_IDS = 1_000;

export class Audit {
  readonly #writeLine: WriteLine;
  readonly #clock: () => number;
  readonly #noted = new WeakSet<Scope>();

  /** @param clock milliseconds since the epoch */
  constructor(writeLine: WriteLine, clock: () => number) {
    this.#writeLine = writeLine;
    this.#clock = clock;
  }

  /** Whether a write of this request has a line. */
  has(scope: Scope): boolean {
    return this.#noted.has(scope);
  }

  /** A request without a token leaves no line, and none whose token has become invalid. */
  note(scope: Scope, operation: string, subject: Subject, outcome: Outcome): void {
    const { caller } = scope;
    if (caller === null || outcome === 'UNAUTHENTICATED') return;
    this.#noted.add(scope);
    this.#write({
      ...this.#subjectOf(subject),
      requestId: scope.requestId ?? null,
      owner: caller.ownerName,
      tokenId: tokenIdOf(caller),
      operation,
      outcome,
    });
  }

  /** For what the operator does on behalf of nobody. @param owner whom it is about; null where that is not known */
  noteOperator(owner: string | null, operation: string, subject: Subject, outcome: Outcome): void {
    this.#write({ ...this.#subjectOf(subject), requestId: null, owner, tokenId: null, operation, outcome });
  }

  #write({ requestId, owner, tokenId, operation, mapId, ids, outcome }: Omit<AuditLine, 'time'>): void {
    const time = new Date(this.#clock()).toISOString();
    this.#writeLine({ time, requestId, owner, tokenId, operation, mapId, ids, outcome });
  }

  /** Only what has the form of an id: else whatever a client sends in its place would be in the log. */
  #subjectOf({ mapId, ids }: Subject): Subject {
    const isShown = (id: string) =>
      isTokenId(id) || isWebhookId(id) || (mapId !== null && isLocationIdOf(mapId, id));
    return {
      mapId: mapId !== null && isMapId(mapId) ? mapId : null,
      ids: ids.filter(isShown).slice(0, MAX_IDS),
    };
  }
}

export function codeOf(error: unknown): ErrorCode {
  return error instanceof ServiceError ? error.code : 'INTERNAL_SERVER_ERROR';
}

function tokenIdOf({ tokenId }: Caller): string | null {
  return tokenId === OPERATOR_TOKEN_ID ? null : tokenId;
}
