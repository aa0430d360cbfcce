/** Tasks with behaviour that is rare in real ones. */

import { threadId } from 'node:worker_threads';

import { badUserInput, ServiceError } from '../../../../src/errors.ts';
import type { Reader } from '../../../../src/storage/sqlite/engine/statements.ts';
import type { ResumableScan, Tasks } from '../../../../src/storage/sqlite/threads/long-reads.ts';
import { Signs } from './signs.ts';

export interface WithSigns {
  readonly memory: SharedArrayBuffer;
}

export interface Count {
  readonly count: number;
}

export const OWNERS = 'SELECT name FROM owners ORDER BY name';

export const TASKS: Tasks = {
  *thread() {
    yield;
    return threadId;
  },

  *owners(reader: Reader): ResumableScan {
    yield;
    return reader.all(OWNERS).map(({ name }) => name);
  },

  /** Reads the owners before and after the test's signal. */
  *ownersTwice(reader: Reader, { memory }: WithSigns): ResumableScan {
    const before = reader.all(OWNERS).length;
    yield* untilGo(memory);
    return [before, reader.all(OWNERS).length];
  },

  /** Leaves a statement in the middle of its rows. */
  *halfOfOwners(reader: Reader, { memory }: WithSigns) {
    // Unsorted: a sort reads all rows before it returns the first.
    const rows = reader.iterate('SELECT * FROM owners');
    rows.next();
    yield* untilGo(memory);
  },

  *untilGo(_reader: Reader, { memory }: WithSigns): ResumableScan {
    yield* untilGo(memory);
    return 'went';
  },

  /** One step that lasts until the test's signal, or for `ms` milliseconds. */
  *oneLongStep(_reader: Reader, { memory, ms }: WithSigns & { readonly ms: number }): ResumableScan {
    const signs = new Signs(memory);
    const until = performance.now() + ms;
    signs.add('begun');
    while (signs.read('go') === 0 && performance.now() < until);
    yield;
    return signs.read('go') === 0 ? 'gave up' : 'went';
  },

  *exit(): ResumableScan {
    yield;
    process.exit(3);
  },

  *uncaught() {
    setImmediate(() => {
      throw new Error('uncaught');
    });
    yield;
  },

  *refuse(): ResumableScan {
    yield;
    throw badUserInput('filter.and[1].bbox.south must be a number.');
  },

  *conflict(): ResumableScan {
    yield;
    throw new ServiceError('CONFLICT', 'Another version.', {
      retryAfterSeconds: 7,
      details: { version: 4 },
      cause: new Error('inside'),
    });
  },

  *bug(): ResumableScan {
    yield;
    throw new TypeError('a bug');
  },

  *damaged(): ResumableScan {
    yield;
    throw Object.assign(new Error('database disk image is malformed'), {
      code: 'ERR_SQLITE_ERROR',
      errcode: 11,
    });
  },

  *write(reader: Reader) {
    yield;
    reader.all('DELETE FROM owners');
  },

  *functionAsResult(): ResumableScan {
    yield;
    return () => {};
  },

  /** Bytes of Node's pool, and bytes in their own buffer. */
  *bytes(_reader: Reader, { count }: Count): ResumableScan {
    yield;
    return { small: Buffer.from('small'), large: new Uint8Array(count).fill(7), text: 'text' };
  },

  *onlyBytes(): ResumableScan {
    yield;
    return Buffer.from('bytes');
  },
};

/** Short steps until the test's signal. */
function* untilGo(memory: SharedArrayBuffer): ResumableScan {
  const signs = new Signs(memory);
  signs.add('begun');
  try {
    while (signs.read('go') === 0) {
      signs.add('steps');
      yield;
    }
    return undefined;
  } finally {
    signs.add('cleaned');
  }
}
