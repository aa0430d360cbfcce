/**
 * The worker of an import. It sends the rows itself, so that the page, which draws and answers keys, never holds them:
 * a request of 500 rows is made and sent in another thread.
 */

import { UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { createGraphqlClient } from '../../shared/graphql.ts';
import { ImportLocationsDocument, ImportUpsertsDocument } from '../generated/operations.ts';
import { exactJson } from './exact-json.ts';
import type { JobListener, RunState } from './import-job.ts';
import { ImportJob } from './import-job.ts';
import type { Send } from './import-run.ts';
import type { Connection, FromWorker, ToWorker, WorkerMethods } from './worker-protocol.ts';

/** Milliseconds between two messages of progress. */
const PROGRESS_MS = 100;

let job: ImportJob | null = null;
let stop = new AbortController();

const methods: {
  [Name in keyof WorkerMethods]: (
    ...args: Parameters<WorkerMethods[Name]>
  ) => Promise<ReturnType<WorkerMethods[Name]>>;
} = {
  async look(file, fields, options) {
    await job?.close();
    job = new ImportJob(file, fields, options);
    return job.look();
  },
  check: (connection) => theJob().check(senderOf(connection), begin(), listener()),
  import: (connection) => theJob().import(senderOf(connection), begin(), listener()),
  resume: (connection) => theJob().resume(senderOf(connection), begin(), listener()),
  report: () => theJob().report(),
  rejected: () => theJob().rejected(),
};

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.method === 'stop') return stop.abort();
  const { id, method, args } = data;
  const run = methods[method] as (...some: readonly unknown[]) => Promise<unknown>;
  run(...args).then(
    (value) => tell({ kind: 'result', id, value }),
    (error: unknown) => tell({ kind: 'error', id, ...describe(error) }),
  );
});

function tell(message: FromWorker): void {
  postMessage(message);
}

function theJob(): ImportJob {
  if (job === null) throw new Error('No file was opened.');
  return job;
}

function begin(): AbortSignal {
  stop = new AbortController();
  return stop.signal;
}

function listener(): JobListener {
  let last = -Infinity;
  return {
    onProgress: (state: RunState) => {
      const now = performance.now();
      if (now - last < PROGRESS_MS) return;
      last = now;
      tell({ kind: 'progress', state });
    },
    onWait: (seconds) => tell({ kind: 'wait', seconds }),
  };
}

function senderOf({ mapId, ...options }: Connection): Send {
  const ask = createGraphqlClient({ ...options, stringify: exactJson });
  return async ({ isUpsert, isDryRun: dryRun, locations }) => {
    if (!isUpsert) {
      const { createLocations } = await ask(ImportLocationsDocument, {
        input: { mapId, locations: [...locations], dryRun },
      });
      return createLocations?.results ?? [];
    }
    const named = locations.map((location) => ({ ...location, externalId: location.externalId ?? '' }));
    const { upsertLocations } = await ask(ImportUpsertsDocument, {
      input: { mapId, locations: named, dryRun },
    });
    return upsertLocations?.results ?? [];
  };
}

function describe(error: unknown): { message: string; isEncoding: boolean } {
  const isEncoding = error instanceof UnreadableFileError && error.isEncoding;
  const message = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof UnreadableFileError;
  return { message: isExpected ? message : `The file cannot be read: ${message}`, isEncoding };
}
