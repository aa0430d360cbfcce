/**
 * Simulates the change streams of a replica set in front of a server without them: responds to the commands that open,
 * read and close one, and passes on everything else. The test reports the changes.
 */

import type { Document } from 'mongodb';
import { Long } from 'mongodb';

import { startProxy } from './mongodb-proxy.ts';
import { AwaitedList } from './awaited-list.ts';

const KILLED = { ok: 0, code: 237, errmsg: 'killed' };
/** An error after which the driver resumes the stream. */
const RESUMABLE = { ok: 0, code: 6, errmsg: 'broken off', errorLabels: ['ResumableChangeStreamError'] };
/** Servers do not use these ids for their own cursors. */
const FIRST_ID = 770_001;

const named = (response: Document) =>
  'isWritablePrimary' in response ? { ...response, setName: 'rs' } : response;

/** The test server may be a member itself. */
const unnamed = ({ setName: _, ...response }: Document): Document => response;

export type Conduct =
  /** Returns the reported changes, or none after the waiting time. */
  | 'answers'
  /** Responds only when the conduct changes. */
  | 'keeps silent'
  /** Opens streams, and then breaks them. */
  | 'breaks off'
  /** As for a user without the privilege. */
  | 'refuses'
  /** Lets the server itself respond. */
  | 'passes on';

interface Cursor {
  readonly events: Document[];
  /** Sends the pending response. */
  wake: () => void;
}

export interface ChangeStreams {
  /** The server's database, through this proxy. */
  readonly url: string;
  /** The pipelines that streams were opened with: the stage, and what follows it. */
  readonly opened: AwaitedList<readonly Document[]>;
  /** The waiting time, in milliseconds, of each response to a waiting stream. */
  readonly answered: AwaitedList<number>;
  /** Streams that their opener has closed. */
  readonly closed: AwaitedList<number>;
  /** Reports a change of a map's document. */
  tell(mapId: string): void;
  /** From now on, including pending commands. */
  conduct(conduct: Conduct): void;
  close(): Promise<void>;
}

export async function startChangeStreams(target: string, { hasName = true } = {}): Promise<ChangeStreams> {
  const opened = new AwaitedList<readonly Document[]>();
  const answered = new AwaitedList<number>();
  const closed = new AwaitedList<number>();
  const cursors = new Map<number, Cursor>();
  /** What continues when the silence ends. */
  const silenced: (() => void)[] = [];
  let conduct: Conduct = 'answers';
  let nextId = FIRST_ID;
  let nextToken = 0;

  const cursorOf = (id: number, batch: 'firstBatch' | 'nextBatch', events: readonly Document[]) => ({
    cursor: {
      id: Long.fromNumber(id),
      ns: `${new URL(target).pathname.slice(1)}.maps`,
      [batch]: events,
      postBatchResumeToken: { _data: `after ${nextToken}` },
    },
    ok: 1,
  });

  function open(pipeline: readonly Document[]): Document {
    const id = nextId++;
    cursors.set(id, { events: [], wake: () => {} });
    opened.add(pipeline);
    return cursorOf(id, 'firstBatch', []);
  }

  async function more(id: number, waitMs: number): Promise<Document> {
    const cursor = cursors.get(id);
    if (cursor === undefined) return KILLED;
    if (conduct === 'answers' && cursor.events.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        cursor.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (!cursors.has(id)) return KILLED;
    if (conduct === 'breaks off') return RESUMABLE;
    return (await refusal()) ?? responseOf(id, cursor, waitMs);
  }

  function responseOf(id: number, { events }: Cursor, waitMs: number): Document {
    answered.add(waitMs);
    return cursorOf(id, 'nextBatch', events.splice(0));
  }

  /** Undefined if the stream gets its normal response. */
  async function refusal(): Promise<Document | undefined> {
    if (conduct === 'keeps silent')
      await new Promise<void>((resolve) => {
        silenced.push(resolve);
      });
    return conduct === 'refuses' ? { ok: 0, code: 13, errmsg: 'not authorized' } : undefined;
  }

  async function kill(ids: readonly number[]): Promise<Document> {
    for (const id of ids) {
      const cursor = cursors.get(id);
      cursors.delete(id);
      cursor?.wake();
      closed.add(id);
    }
    await refusal();
    return { cursorsKilled: ids.map((id) => Long.fromNumber(id)), ok: 1 };
  }

  const proxy = await startProxy(target, {
    response: (response) => (hasName ? named(response) : unnamed(response)),
    async instead(name, command) {
      const [first, ...rest] = (command['pipeline'] ?? []) as Document[];
      if (name === 'aggregate' && first?.['$changeStream'] !== undefined) {
        if (conduct === 'passes on') {
          opened.add([first, ...rest]);
          return undefined;
        }
        return (await refusal()) ?? open([first, ...rest]);
      }
      if (name === 'getMore' && Number(command['getMore']) >= FIRST_ID) {
        return more(Number(command['getMore']), Number(command['maxTimeMS']));
      }
      const ids = ((command['cursors'] ?? []) as unknown[]).map(Number);
      return name === 'killCursors' && ids.every((id) => id >= FIRST_ID) ? kill(ids) : undefined;
    },
  });

  return {
    ...{ url: proxy.url, opened, answered, closed },
    tell(mapId) {
      for (const cursor of cursors.values()) {
        cursor.events.push({ _id: { _data: `${++nextToken}` }, documentKey: { _id: mapId } });
        cursor.wake();
      }
    },
    conduct(next) {
      conduct = next;
      for (const { wake } of cursors.values()) wake();
      if (next !== 'keeps silent') for (const goOn of silenced.splice(0)) goOn();
    },
    close: () => proxy.close(),
  };
}
