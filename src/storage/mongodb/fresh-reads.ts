/**
 * Reads that know whatever was acknowledged. A primary that was just elected has all that, but does not know yet that the
 * majority has it: reads with read concern `majority` tell what was so before, for up to a second. So the first read of a
 * new primary waits for one that is linearizable, and a read that an election came between is made again.
 */

import type { AbstractCursor, Collection, Document, ServerDescription } from 'mongodb';

/** What the driver knows of a server. */
type Described = Pick<ServerDescription, 'address' | 'electionId' | 'type'>;

export class Primaries {
  readonly #confirm: () => Promise<unknown>;
  /** The primary and its election; null where there are no elections, or none is known of. */
  #latest: string | null = null;
  #confirmed: string | null = null;
  #confirming: Promise<void> | null = null;

  /** @param confirm a linearizable read: it is answered when the majority has followed the primary */
  constructor(confirm: () => Promise<unknown>) {
    this.#confirm = confirm;
  }

  /** To be told of each server before anything is asked of it. */
  note({ type, address, electionId }: Described): void {
    if (type === 'RSPrimary' && electionId !== null) this.#latest = `${address} ${electionId.toHexString()}`;
  }

  /** Does a read again until one primary has answered it that knows what was acknowledged. */
  async read<T>(once: () => Promise<T>, again: () => void): Promise<T> {
    for (;;) {
      const primary = await this.known();
      const result = await once();
      if (primary === this.#latest) return result;
      again();
    }
  }

  /** @returns which primary it is */
  async known(): Promise<string | null> {
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

/** Has everything that is read from the collection read so. The driver makes all of its reads of these two. */
export function readFresh<D extends Document>(
  collection: Collection<D>,
  primaries: Primaries,
): Collection<D> {
  const find = collection.find.bind(collection) as (...args: unknown[]) => AbstractCursor;
  const aggregate = collection.aggregate.bind(collection) as (...args: unknown[]) => AbstractCursor;
  return Object.assign(collection, {
    find: (...args: unknown[]) => fresh(find(...args), primaries),
    aggregate: (...args: unknown[]) => fresh(aggregate(...args), primaries),
  });
}

function fresh(cursor: AbstractCursor, primaries: Primaries): AbstractCursor {
  let isBegun = false;
  const [next, hasNext] = [cursor.next.bind(cursor), cursor.hasNext.bind(cursor)];
  const first =
    <T>(ask: () => Promise<T>) =>
    async (): Promise<T> => {
      // What follows comes from the server that the first answer came from.
      if (isBegun) return ask();
      const result = await primaries.read(ask, () => cursor.rewind());
      isBegun = true;
      return result;
    };
  // All other ways through a cursor lead through these.
  return Object.assign(cursor, { next: first(next), hasNext: first(hasNext) });
}
