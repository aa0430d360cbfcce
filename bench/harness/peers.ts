/** The subjects by name, and how to start several of them. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Bench } from './bench.ts';
import type { SqliteStore } from './filled-store.ts';
import { indexedMapOf } from './indexed-map.ts';
import type { Headers, HttpRequest } from './request.ts';
import { sendRequest } from './request.ts';
import type { Subject, SubjectOptions } from './subject.ts';
import { OURS, startOurs, startPeer } from './subject.ts';

export const FASTIFY = 'Fastify by hand';
export const FASTIFY_SCHEMA = 'Fastify by hand, response schema';
export const FASTIFY_MONGODB = 'Fastify by hand, official driver';
export const FASTIFY_SEARCH = 'Fastify by hand, indexes by hand';
export const MERCURIUS = 'Mercurius, JIT';
export const APOLLO = 'Apollo Server on Fastify';
export const YOGA = 'GraphQL Yoga';
export const CEILING = 'static buffer on node:http';

const SQLITE_PEERS = {
  [FASTIFY]: { file: 'fastify-sqlite', env: {} },
  [FASTIFY_SCHEMA]: { file: 'fastify-sqlite', env: { RESPONSE_SCHEMA: '1' } },
  [MERCURIUS]: { file: 'mercurius', env: {} },
  [APOLLO]: { file: 'apollo', env: {} },
  [YOGA]: { file: 'yoga', env: {} },
} as const;

export type SqlitePeer = keyof typeof SQLITE_PEERS;

/** Starts ours, then the peers, on one SQLite file. */
export async function startOnSqlite(
  path: string,
  peers: readonly SqlitePeer[],
  options: SubjectOptions,
): Promise<Subject[]> {
  const subjects = [await startOurs(`sqlite:${path}`, options)];
  for (const name of peers) {
    const { file, env } = SQLITE_PEERS[name];
    subjects.push(await startPeer(name, file, { ...env, DATABASE: path }, options));
  }
  return subjects;
}

/** @param probe a search: the peer supports no other request */
export function startSearchPeer(
  store: SqliteStore,
  options: SubjectOptions,
  probe: HttpRequest,
): Promise<Subject> {
  const env = { DATABASE: store.path, INDEXED: indexedMapOf(store) };
  return startPeer(FASTIFY_SEARCH, 'fastify-search', env, { ...options, probe });
}

/** Starts a server that sends a response of `like` from a buffer. */
export async function startCeiling(
  bench: Bench,
  like: Subject,
  request: HttpRequest,
  headers: Headers,
): Promise<Subject> {
  const file = join(bench.folder, 'static-body.json');
  writeFileSync(file, (await sendRequest(like.origin, request, headers)).body);
  const options = { core: bench.cores.server, folder: bench.folder, probe: { path: '/' }, headers };
  return startPeer(CEILING, 'static', { BODY_FILE: file }, options);
}

/** The subjects to measure: all, or in a quick run only ours and the baseline. */
export function measuredOf(bench: Bench, subjects: readonly Subject[], baseline: string): readonly Subject[] {
  return bench.options.quick ? subjects.filter(({ name }) => name === OURS || name === baseline) : subjects;
}

/** Stops all subjects after the work, also when it fails. */
export async function stopAfter<T>(
  subjects: readonly { stop(): Promise<void> }[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
}
