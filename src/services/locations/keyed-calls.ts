/**
 * Calls under an idempotency key: each writes once, and later calls with its key get its result for 24 hours
 * (docs/decisions/0031-keyed-calls.md).
 *
 * A call is stored before it runs, with the id under which the history records its writes (WriteCall). So after a crash
 * the history tells whether it has written. Only the request that holds the call runs it; a hold that its process cannot
 * end any more lapses.
 */

import { canonicalDigest } from '../../domain/json/canonical-digest.ts';
import { newHistoryId } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import type { IdempotencyScope, KeyedCallRecord, Storage } from '../../storage/storage.ts';
import { actorOf } from '../history/calls.ts';
import { CallerGoneError, DerivedScope } from '../scope.ts';
import { assertIdempotencyKey, IDEMPOTENCY_TTL_MS, idempotencyConflict } from './idempotency.ts';
import type { AuthorizedRequest } from './authorized-request.ts';

/** The time limit of geocoding in a single write. Its statements have shorter ones, so it ends long before its hold. */
const GEOCODING_MS = 30 * 1000;
const HOLD_MS = 2 * GEOCODING_MS;
const RETRY_AFTER_SECONDS = 2;

/** A call that writes at most once: its writes are one transaction or statement. */
export interface SingleWrite<Result, Kept> {
  /** Name of the mutation. */
  readonly operation: string;
  /** JSON that is the same for a retry. */
  readonly content: unknown;
  /** @throws ServiceError BAD_USER_INPUT for a call that can never run */
  check(): void;
  /**
   * Comes after {@link check}.
   *
   * @throws ServiceError only if it has written nothing, except STORAGE_UNAVAILABLE
   */
  run(request: AuthorizedRequest): Promise<Result>;
  /** JSON from which {@link replay} makes the result again. */
  keep(result: Result): Kept;
  replay(kept: Kept, request: AuthorizedRequest): Result | Promise<Result>;
  /**
   * The result of a call that has written, but was interrupted before it was kept.
   *
   * @throws ServiceError if there is none any more
   */
  recover(request: AuthorizedRequest): Promise<Result>;
}

/** A call whose writes have idempotency keys of their own, so that running it again completes it. */
export interface RepeatableWrite<Result> extends Pick<
  SingleWrite<Result, never>,
  'operation' | 'content' | 'run'
> {
  /** Whether the key is used. */
  hasStored(result: Result): boolean;
}

export interface Keyed<Result> {
  readonly result: Result;
  /** The request, whose scope has the call. */
  readonly request: AuthorizedRequest;
  /** Whether an earlier call has written. */
  readonly isReplayed: boolean;
}

/** A call that this request may run. */
interface HeldCall {
  readonly space: IdempotencyScope;
  readonly key: string;
  readonly call: KeyedCallRecord;
  /** False after an earlier attempt. */
  readonly isFirst: boolean;
  /** The request, whose writes belong to the call. */
  readonly request: AuthorizedRequest;
}

/** A call that has ended. */
interface EndedCall {
  readonly request: AuthorizedRequest;
  /** JSON. */
  readonly kept: string;
}

/** The key of a call that has stored nothing. */
const FREE = Symbol('free');

export class KeyedCalls {
  readonly #storage: Storage;
  readonly #clock: () => number;
  /** Retries to the same process wait for the call. */
  readonly #oneByOne = createKeyedMutex();

  constructor({ storage, clock }: { readonly storage: Storage; readonly clock: () => number }) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /**
   * @param key null to run it without one
   * @throws ServiceError BAD_USER_INPUT, CONFLICT for the key; OVERLOADED while another process runs the call
   */
  async runOnce<Result, Kept>(
    request: AuthorizedRequest,
    key: string | null,
    write: SingleWrite<Result, Kept>,
  ): Promise<Keyed<Result>> {
    write.check();
    if (key === null) return { result: await write.run(request), request, isReplayed: false };
    return this.#inTurn(request, key, async () => {
      const found = await this.#holdNew(request, key, write);
      if ('kept' in found) {
        const result = await write.replay(JSON.parse(found.kept) as Kept, found.request);
        return { result, request: found.request, isReplayed: true };
      }
      const isReplayed = !found.isFirst;
      const result = isReplayed
        ? await this.#run(found, { run: (keyed) => write.recover(keyed) }, { isUsed: true })
        : await this.#run(this.#whileHeld(found), write, { isUsed: false });
      await this.#end(found, JSON.stringify(write.keep(result)));
      return { result, request: found.request, isReplayed };
    });
  }

  /**
   * As {@link #hold}, but a call that an earlier attempt has not written is a new one, of its own time: it is the first.
   * Reading the history settles what that attempt has left.
   */
  async #holdNew(
    request: AuthorizedRequest,
    key: string,
    write: Pick<SingleWrite<unknown, unknown>, 'operation' | 'content'>,
  ): Promise<HeldCall | EndedCall> {
    for (;;) {
      const found = await this.#hold(request, key, write);
      if ('kept' in found || found.isFirst || (await hasHistory(this.#storage, found.request))) return found;
      await this.#storage.removeKeyedCall(found.space, key, found.call, request.scope);
    }
  }

  /** As {@link runOnce}; a retry runs the call again. */
  async runRepeatable<Result>(
    request: AuthorizedRequest,
    key: string | null,
    write: RepeatableWrite<Result>,
  ): Promise<Result> {
    if (key === null) return write.run(request);
    return this.#inTurn(request, key, async () => {
      const held = await this.#hold(request, key, write);
      if ('kept' in held) throw new Error('A repeatable call keeps no result.');
      // An earlier attempt may have stored something.
      const isUsed = !held.isFirst;
      const result = await this.#run(held, write, { isUsed }).catch(async (error: unknown) => {
        // Running it again is safe at any time.
        if (isUnavailable(error)) await this.#end(held, null);
        throw error;
      });
      await this.#end(held, isUsed || write.hasStored(result) ? null : FREE);
      return result;
    });
  }

  #inTurn<T>({ caller, map }: AuthorizedRequest, key: string, work: () => Promise<T>): Promise<T> {
    return this.#oneByOne([JSON.stringify([map.id, caller.tokenId, key])], work);
  }

  async #hold(
    request: AuthorizedRequest,
    key: string,
    { operation, content }: Pick<RepeatableWrite<unknown>, 'operation' | 'content'>,
  ): Promise<HeldCall | EndedCall> {
    assertIdempotencyKey(key, 'idempotencyKey');
    const { caller, map, scope } = request;
    const space = { tokenId: caller.tokenId, mapId: map.id };
    const now = this.#clock();
    const wanted = {
      digest: canonicalDigest([operation, content]),
      callId: newHistoryId(now),
      heldUntil: now + HOLD_MS,
      expiresAt: now + IDEMPOTENCY_TTL_MS,
    };
    const { isHeld, call } = await this.#storage.holdKeyedCall(space, key, wanted, now, scope);
    if (call.digest !== wanted.digest) throw idempotencyConflict();
    const ofCall = withCall(request, operation, call.callId);
    if (call.result !== null) return { request: ofCall, kept: call.result };
    if (!isHeld) throw callUnderWay();
    return { space, key, call, isFirst: call.callId === wanted.callId, request: ofCall };
  }

  /** The same call, which writes nothing after the first half of its hold, even if the process is suspended meanwhile. */
  #whileHeld(held: HeldCall): HeldCall {
    const { call, request } = held;
    const endsAt = call.heldUntil - HOLD_MS + GEOCODING_MS;
    const assertHeld = () => {
      if (this.#clock() > endsAt) throw callTooLong();
    };
    const deadline = request.scope.deadline?.within(GEOCODING_MS);
    const scope = new DerivedScope(request.scope, { deadline });
    return { ...held, request: { ...request, scope, assertHeld } };
  }

  /** After STORAGE_UNAVAILABLE, statements may still be under way: nobody runs the call until the hold lapses. */
  async #run<Result>(
    held: HeldCall,
    { run }: Pick<SingleWrite<Result, never>, 'run'>,
    { isUsed }: { readonly isUsed: boolean },
  ): Promise<Result> {
    try {
      return await run(held.request);
    } catch (error) {
      if (hasStoredNothing(error)) await this.#end(held, isUsed ? null : FREE);
      throw error;
    }
  }

  /** The call has its outcome. If the store fails here, the hold lapses and a retry finds the outcome in the history. */
  async #end({ space, key, call, request }: HeldCall, kept: string | null | typeof FREE): Promise<void> {
    const { scope } = request;
    const ending =
      kept === FREE
        ? this.#storage.removeKeyedCall(space, key, call, scope)
        : this.#storage.endKeyedCall(space, key, call, kept, scope);
    await ending.catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  }
}

/** Whether the call of the request has written. */
export async function hasHistory(storage: Storage, { map, scope }: AuthorizedRequest): Promise<boolean> {
  if (scope.call === undefined) return false;
  const [record = null] = await storage.findHistory(map.id, [scope.call.id], scope);
  return record !== null;
}

/** Where no history is kept, the call keeps no former states, but its record says that it has written. */
function withCall(request: AuthorizedRequest, operation: string, id: string): AuthorizedRequest {
  const { caller, scope } = request;
  const { call = { actor: actorOf(caller), operation, mostVersions: 0, keepsTrash: false } } = scope;
  return { ...request, scope: new DerivedScope(scope, { call: { ...call, id } }) };
}

function hasStoredNothing(error: unknown): boolean {
  if (error instanceof CallerGoneError) return true;
  return error instanceof ServiceError && !isUnavailable(error);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
}

function callUnderWay(): ServiceError {
  return new ServiceError(
    'OVERLOADED',
    'A call with this idempotency key is under way, or was interrupted in the last minute; repeat it in a few seconds.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function callTooLong(): ServiceError {
  return new ServiceError(
    'OVERLOADED',
    `The call took longer than ${GEOCODING_MS / 1000} seconds, so nothing was written; repeat it.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
