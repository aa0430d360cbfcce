/** A MongoDB server for one test that can be killed as in a crash and restarted on the same files. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { freePort } from './free-port.ts';
import { findMongod, MONGOD_ARGUMENTS } from './mongod-binary.ts';
import { withClient } from './mongodb-server.ts';
import { createFolder, spawnCommand } from './program.ts';
import { PATIENCE_MS } from './until.ts';

const REPLICA_SET = 'killed';
/** Shown of the output of a server that did not start. */
const SHOWN_LINES = 20;

export interface KillableServer {
  readonly url: string;
  /** SIGKILL; resolves when it has exited. */
  kill(): Promise<void>;
  /** On the same files; resolves when it accepts writes. */
  start(): Promise<void>;
  /** Leaves no process and no files. */
  remove(): Promise<void>;
}

/**
 * How to start one: `TEST_MONGODB_SERVE`, a script with the commands start, kill and remove; else mongod; else the script
 * next to the repository. Undefined if this machine has none of them.
 */
export function findKillable(): (() => Promise<KillableServer>) | undefined {
  const named = process.env['TEST_MONGODB_SERVE'];
  if (named) return () => startByScript(named);
  const mongod = findMongod();
  if (mongod !== undefined) return () => startMongod(mongod);
  const beside = fileURLToPath(new URL('../../../shared/mongodb/serve', import.meta.url));
  return existsSync(beside) ? () => startByScript(beside) : undefined;
}

/** A replica set of one. The caller calls `killPrograms` after all tests. */
async function startMongod(program: string): Promise<KillableServer> {
  const folder = createFolder();
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const url = `mongodb://${host}/?replicaSet=${REPLICA_SET}`;
  const args = [
    ...['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', REPLICA_SET],
    ...MONGOD_ARGUMENTS,
  ];
  const spawn = () => spawnCommand(program, args, { cwd: folder });
  let running = spawn();
  /** Waits for a command's response, or for the end of the process. */
  const command = async (target: string, body: Record<string, unknown>) => {
    const ended = running.exited.then(({ code, signal }) => {
      const said = running.stdout().trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
      throw new Error(`mongod ended with ${code ?? signal}:\n${said}`);
    });
    const answered = withClient(target, (client) => client.db('admin').command(body), PATIENCE_MS);
    // A later exit is not an error.
    ended.catch(() => {});
    await Promise.race([answered, ended]);
  };
  const kill = async () => {
    running.child.kill('SIGKILL');
    await running.exited;
  };
  await command(`mongodb://${host}/?directConnection=true`, {
    replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] },
  });
  return {
    url,
    kill,
    async start() {
      running = spawn();
      await command(url, { ping: 1 });
    },
    // The folder is deleted with the test's process.
    remove: kill,
  };
}

async function startByScript(script: string): Promise<KillableServer> {
  // A separate server: other tests, and other runs of this one, have their own.
  const port = String(27_200 + (process.pid % 800));
  const say = async (word: string) => (await promisify(execFile)(script, [word, port])).stdout.trim();
  const url = await say('start');
  return {
    url,
    kill: async () => void (await say('kill')),
    start: async () => void (await say('start')),
    remove: async () => void (await say('remove')),
  };
}
