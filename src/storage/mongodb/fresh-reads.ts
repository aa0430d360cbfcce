/**
 * Makes every read include all acknowledged writes, across failovers. A newly elected primary has them, but for up to a
 * second it does not know that the majority has them too, and reads with read concern `majority` return older data. So the
 * first read from a new primary waits for a linearizable read, and a read during an election is repeated.
 */

import type { AbstractCursor, Collection, Document, ServerDescription } from 'mongodb';

/** The driver's view of a server. */
type Described = Pick<ServerDescription, 'address' | 'electionId' | 'type'>;

export class Primaries {
  readonly #confirm: () => Promise<unknown>;
  /** The primary and its election; null without elections. */
  #latest: string | null = null;
  #confirmed: string | null = null;
  #confirming: Promise<void> | null = null;

  /** @param confirm a linearizable read; it returns when the majority follows the primary */
  constructor(confirm: () => Promise<unknown>) {
    this.#confirm = confirm;
  }

  /** To be called for every description of a server, before the server gets commands. */
  observe({ type, address, electionId }: Described): void {
    if (type === 'RSPrimary' && electionId !== null) this.#latest = `${address} ${electionId.toHexString()}`;
  }

  /** Repeats a read until a single confirmed primary has served it. */
  async read<T>(once: () => Promise<T>, again: () => void): Promise<T> {
    for (;;) {
      const primary = await this.confirmed();
      const result = await once();
      if (primary === this.#latest) return result;
      again();
    }
  }

  /** Waits until the latest primary is confirmed, and returns it. */
  async confirmed(): Promise<string | null> {
    while (this.#confirmed !== this.#latest) await (this.#confirming ??= this.#confirmOne(this.#latest));
    return this.#latest;
  }

  async #confirmOne(primary: string | null): Promise<void> {
    try {
      await this.#confirm();
      this.#confirmed = primary;
    } finally {
      this.#confirming = null;
    }
  }
}

/** Applies this to all reads of a collection: the driver builds them on `find` and `aggregate`. */
export function readFresh<D extends Document>(
  collection: Collection<D>,
  primaries: Primaries,
): Collection<D> {
  const find = collection.find.bind(collection) as (...args: unknown[]) => AbstractCursor;
  const aggregate = collection.aggregate.bind(collection) as (...args: unknown[]) => AbstractCursor;
  return Object.assign(collection, {
    find: (...args: unknown[]) => wrapCursor(find(...args), primaries),
    aggregate: (...args: unknown[]) => wrapCursor(aggregate(...args), primaries),
  });
}

function wrapCursor(cursor: AbstractCursor, primaries: Primaries): AbstractCursor {
  let isStarted = false;
  const [next, hasNext] = [cursor.next.bind(cursor), cursor.hasNext.bind(cursor)];
  const first =
    <T>(ask: () => Promise<T>) =>
    async (): Promise<T> => {
      // Later batches come from the same server as the first.
      if (isStarted) return ask();
      const result = await primaries.read(ask, () => cursor.rewind());
      isStarted = true;
      return result;
    };
  // Every other way to read a cursor uses these two.
  return Object.assign(cursor, { next: first(next), hasNext: first(hasNext) });
}
