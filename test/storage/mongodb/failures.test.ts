/** What goes wrong at the server is an outage to callers, whatever the driver makes of it, and never an error of ours. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';

import { MongoBulkWriteError } from 'mongodb';

import { translate } from '../../../src/storage/mongodb/failures.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/mongodb-storage.ts';
import { startProxy } from '../../support/mongodb-proxy.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';

/** The server's state, as after a failover or beside a transaction, and not what was asked. */
const CODES = [24, 43, 112, 175, 237, 239, 246, 251, 11602];
const BAD_VALUE = 2;

const server = await testServer();

describe('mongodb: a connection that the server has ended, and that is written to before it is closed', () => {
  it('is an outage', async () => {
    expect(translate(await writeAfterEnd())).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('is an outage in a bulk write', async () => {
    const result = { getWriteConcernError: () => undefined } as MongoBulkWriteError['result'];
    const error = new MongoBulkWriteError((await writeAfterEnd()) as Error, result);
    expect(translate(error)).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });
});

describeUnless(server === null && NO_MONGODB, 'mongodb: what the server refuses in its state', () => {
  if (server === null) return;
  const url = ownDatabase(server);

  /** A read that is refused; what follows is answered again. */
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

  it('a mistake of the program is told as it is', () =>
    expectRefused(BAD_VALUE, { name: 'MongoServerError', code: BAD_VALUE }));
});

/** The error with which Node answers such a write, and which the driver hands on as it is. */
async function writeAfterEnd(): Promise<unknown> {
  const listening = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const socket = connect((listening.address() as AddressInfo).port, '127.0.0.1').resume();
  // As the driver may, with the next command, before Node has closed the socket.
  socket.once('end', () => queueMicrotask(() => socket.write('late')));
  const error = await new Promise((resolve) => {
    socket.once('error', resolve);
  });
  listening.close();
  expect(error).toMatchObject({ code: 'EPIPE' });
  return error;
}
