/** A local replica set of three members, whose primary can step down, or be killed and restarted. */

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { Document } from 'mongodb';
import { MongoClient } from 'mongodb';
import type { MongoMemoryServer } from 'mongodb-memory-server';
import { MongoMemoryReplSet } from 'mongodb-memory-server';

import { MONGOD_ARGUMENTS, START_TIMEOUT_MS } from './mongod-binary.ts';
import { until } from './until.ts';

const MEMBERS = 3;
/**
 * Short, so that a test waits only seconds for a new primary, but long enough that a busy machine does not trigger
 * elections.
 */
const SETTINGS = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 300 };
/** How long a member that stepped down is not a candidate. */
const STEP_DOWN_SECONDS = 10;

export interface ReplicaSet {
  /** The URL of the whole set. */
  url(database: string): string;
  /** Makes another member the primary, as an operator does. */
  stepDown(): Promise<void>;
  /** Kills the primary with SIGKILL. @returns a function that restarts it on its data */
  killPrimary(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** @param binary the path of mongod */
export async function startReplicaSet(binary: string): Promise<ReplicaSet> {
  const set = await MongoMemoryReplSet.create({
    binary: { systemBinary: binary },
    instanceOpts: Array.from({ length: MEMBERS }, () => ({ launchTimeout: START_TIMEOUT_MS })),
    replSet: {
      count: MEMBERS,
      storageEngine: 'wiredTiger',
      configSettings: SETTINGS,
      args: MONGOD_ARGUMENTS,
    },
  });
  const processes = new Map(set.servers.map((server) => [portOf(server), processOf(server)]));
  /** Processes restarted here, which must be ended here. */
  const restarted = new Set<ChildProcess>();
  process.once('exit', () => restarted.forEach((member) => member.kill('SIGKILL')));
  const client = new MongoClient(set.getUri());

  /** Empty if no member can be reached. */
  async function members(): Promise<readonly { readonly name: string; readonly state: string }[]> {
    const status = await client
      .db('admin')
      .command({ replSetGetStatus: 1 }, { readPreference: 'nearest' })
      .catch((): Document => ({ members: [] }));
    return (status['members'] as Document[]).map(({ name, stateStr }) => ({
      name: String(name),
      state: String(stateStr),
    }));
  }

  async function primaryBut(former?: string): Promise<string> {
    let found: string | undefined;
    await until(async () => {
      found = (await members()).find(({ name, state }) => state === 'PRIMARY' && name !== former)?.name;
      return found !== undefined;
    }, 'a primary');
    return found!;
  }

  async function untilSecondaries(count: number): Promise<void> {
    const isWhole = async () =>
      (await members()).filter(({ state }) => state === 'SECONDARY').length === count;
    await until(isWhole, `${count} secondaries`);
  }

  await untilSecondaries(MEMBERS - 1);
  return {
    url: (database) => set.getUri(database),
    async stepDown() {
      const former = await primaryBut();
      await client.db('admin').command({ replSetStepDown: STEP_DOWN_SECONDS });
      await primaryBut(former);
    },
    async killPrimary() {
      const port = Number((await primaryBut()).split(':').at(-1));
      const member = processes.get(port)!;
      await kill(member);
      restarted.delete(member);
      return async () => {
        const again = spawn(member.spawnfile, member.spawnargs.slice(1), { stdio: 'ignore' });
        processes.set(port, again);
        restarted.add(again);
        await untilSecondaries(MEMBERS - 1);
      };
    },
    async close() {
      await client.close();
      await Promise.all([...restarted].map(kill));
      await set.stop({ doCleanup: true, force: true });
    },
  };
}

function portOf({ instanceInfo }: MongoMemoryServer): number {
  return instanceInfo!.port;
}

function processOf({ instanceInfo }: MongoMemoryServer): ChildProcess {
  return instanceInfo!.instance.mongodProcess!;
}

async function kill(member: ChildProcess): Promise<void> {
  const exit = once(member, 'exit');
  member.kill('SIGKILL');
  await exit;
}
