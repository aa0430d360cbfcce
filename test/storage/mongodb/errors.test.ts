/** Callers see a server failure as an outage, whatever the driver throws, and never as an internal error. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';

import { MongoBulkWriteError } from 'mongodb';

import { translate } from '../../../src/storage/mongodb/errors.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import { startProxy } from '../../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';

/** Codes about the server's state, such as after a failover or during a transaction. */
const CODES = [24, 43, 112, 175, 237, 239, 246, 251, 11602];
const BAD_VALUE = 2;

const server = await testServer();

describe('mongodb: a write to a connection that the server has ended', () => {
  it('is an outage', async () => {
    expect(translate(await writeAfterEnd())).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('is an outage in a bulk write', async () => {
    const result = { getWriteConcernError: () => undefined } as MongoBulkWriteError['result'];
    const error = new MongoBulkWriteError((await writeAfterEnd()) as Error, result);
    expect(translate(error)).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });
});

describeUnless(server === null && NO_MONGODB, 'mongodb: an error about the server’s state', () => {
  if (server === null) return;
  const url = ownDatabase(server);

  /** The first read is refused; later ones succeed. */
  async function expectRefused(code: number, error: Record<string, unknown>): Promise<void> {
    let isFailing = false;
    const proxy = await startProxy(url, {
      instead: (name) => (isFailing && name === 'find' ? { ok: 0, code, errmsg: 'made up' } : undefined),
    });
    const storage = await openMongodbStorage(proxy.url, { timeoutMs: 10_000 });
    isFailing = true;
    await expect(storage.getMaps(['map'])).rejects.toMatchObject(error);
    isFailing = false;
    expect(await storage.getMaps(['map'])).toEqual([null]);
    await storage.close();
    await proxy.close();
  }

  it.each(CODES)('is an outage: %d', (code) => expectRefused(code, { code: 'STORAGE_UNAVAILABLE' }));

  it('an error of the program is passed on unchanged', () =>
    expectRefused(BAD_VALUE, { name: 'MongoServerError', code: BAD_VALUE }));
});

/** The error of Node.js for such a write, which the driver passes on unwrapped. */
async function writeAfterEnd(): Promise<unknown> {
  const listening = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1').resume();
  // The driver may write the next command before Node.js has closed the socket.
  socket.once('end', () => queueMicrotask(() => socket.write('late')));
  const error = await new Promise((resolve) => {
    socket.once('error', resolve);
  });
  listening.close();
  expect(error).toMatchObject({ code: 'EPIPE' });
  return error;
}
