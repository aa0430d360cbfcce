/** The import worker. It reads the file and sends the rows itself, so that the page stays responsive. */

import { UnreadableFileError } from '../../../src/transfer/text/damage.ts';
import { createGraphqlClient } from '../../shared/graphql.ts';
import { ImportLocationsDocument, ImportUpsertsDocument } from '../generated/operations.ts';
import { exactJson } from './exact-json.ts';
import { ImportJob } from './import-job.ts';
import type { JobListener, RunState } from './import-pass.ts';
import type { Send } from './import-run.ts';
import type { Connection, FromWorker, ImportFailure, ToWorker, WorkerMethods } from './worker-protocol.ts';

/** Minimum milliseconds between progress messages. */
const PROGRESS_MS = 100;

let job: ImportJob | null = null;
let stop = new AbortController();

const methods: {
  [Name in keyof WorkerMethods]: (
    ...args: Parameters<WorkerMethods[Name]>
  ) => Promise<ReturnType<WorkerMethods[Name]>>;
} = {
  async preview(file, fields, options) {
    await job?.close();
    job = new ImportJob(file, fields, options);
    return job.preview();
  },
  check: (connection) => currentJob().check(senderOf(connection), newStopSignal(), listener()),
  import: (connection) => currentJob().import(senderOf(connection), newStopSignal(), listener()),
  resume: (connection) => currentJob().resume(senderOf(connection), newStopSignal(), listener()),
  report: (reasons) => currentJob().report(reasons),
  rejected: (reasons) => currentJob().rejected(reasons),
};

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.method === 'stop') return stop.abort();
  const { id, method, args } = data;
  const run = methods[method] as (...some: readonly unknown[]) => Promise<unknown>;
  run(...args).then(
    (value) => notify({ kind: 'result', id, value }),
    (error: unknown) => notify({ kind: 'error', id, failure: failureOf(error) }),
  );
});

function notify(message: FromWorker): void {
  postMessage(message);
}

function currentJob(): ImportJob {
  if (job === null) throw new Error('No file is open.');
  return job;
}

function newStopSignal(): AbortSignal {
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
      notify({ kind: 'progress', state });
    },
    onWait: (seconds) => notify({ kind: 'wait', seconds }),
  };
}

function senderOf({ mapId, ...options }: Connection): Send {
  const request = createGraphqlClient({ ...options, stringify: exactJson });
  return async ({ isUpsert, isDryRun: dryRun, locations, historyId: earlier }) => {
    if (!isUpsert) {
      const { createLocations } = await request(ImportLocationsDocument, {
        input: { mapId, locations: [...locations], dryRun, historyId: earlier },
      });
      const { results = [], historyId = null } = createLocations ?? {};
      return { results, historyId };
    }
    const named = locations.map((location) => ({ ...location, externalId: location.externalId ?? '' }));
    const { upsertLocations } = await request(ImportUpsertsDocument, {
      input: { mapId, locations: named, dryRun, historyId: earlier },
    });
    const { results = [], historyId = null } = upsertLocations ?? {};
    return { results, historyId };
  };
}

function failureOf(error: unknown): ImportFailure {
  if (error instanceof UnreadableFileError) {
    const { sentences, isEncoding } = error;
    return { kind: 'unreadable', sentences, isEncoding };
  }
  return { kind: 'unexpected', reason: error instanceof Error ? error.message : String(error) };
}
