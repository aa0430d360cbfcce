/** The server is killed under load and restarted: no acknowledged write is lost, and nothing is duplicated. */

import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../../../../src/errors.ts';
import { openMongodbStorage } from '../../../../src/storage/mongodb/storage.ts';
import { idsOf, insertOne, locationOf, seedMap } from '../../../contract/storage/fixtures.ts';
import type { KillableServer } from '../../../support/killable-mongodb.ts';
import { findKillable } from '../../../support/killable-mongodb.ts';
import { expectWhole } from '../../../support/mongodb-crash.ts';
import { NEEDS_KILLABLE, NO_MONGODB, testServer, urlOfDatabase } from '../../../support/mongodb-server.ts';
import { killPrograms } from '../../../support/program.ts';
import { describeUnless } from '../../../support/skip.ts';
import { PATIENCE_MS } from '../../../support/until.ts';

const startKillable = findKillable();

const skip = (await testServer()) === null ? NO_MONGODB : startKillable === undefined && NEEDS_KILLABLE;

describeUnless(skip, 'mongodb: a server that is killed under load', () => {
  let server: KillableServer | undefined;
  afterAll(() => server?.remove());
  afterAll(killPrograms);

  it('keeps every acknowledged write; repetitions of the others create each once; the store recovers', async () => {
    server = await startKillable!();
    let isOver = false;
    const url = urlOfDatabase(server.url, 'killed');
    const patient = await openMongodbStorage(url, { timeoutMs: PATIENCE_MS });
    // Its writes fail while the server is away.
    const storage = await openMongodbStorage(url, { timeoutMs: 1000, openTimeoutMs: PATIENCE_MS });
    try {
      const map = await seedMap(patient);
      const acknowledged = new Map<string, string>();
      const unknown: string[] = [];
      const others: unknown[] = [];
      let next = 0;
      const write = async () => {
        while (!isOver) {
          const key = `key ${(next += 1)}`;
          try {
            acknowledged.set(key, locationOf(await insertOne(storage, map.id, { key })).id);
          } catch (error) {
            // Only outages reach the caller.
            if (!(error instanceof ServiceError)) others.push(error);
            unknown.push(key);
            await delay(20);
          }
        }
      };
      const writers = [1, 2, 3, 4].map(write);
      const acknowledges = async (count: number) => {
        const enough = acknowledged.size + count;
        while (acknowledged.size < enough) await delay(20);
      };
      await acknowledges(20);
      await server.kill();
      while (unknown.length === 0) await delay(20);
      await server.start();
      await acknowledges(20);
      isOver = true;
      await Promise.all(writers);

      const list = await expectWhole(patient, map.id);
      expect(idsOf(list)).toEqual(expect.arrayContaining([...acknowledged.values()]));
      for (const key of unknown) {
        const outcome = await insertOne(patient, map.id, { key });
        if (!('location' in outcome)) throw new Error(outcome.kind);
        acknowledged.set(key, outcome.location.id);
      }
      const all = await expectWhole(patient, map.id);
      expect(idsOf(all).toSorted()).toEqual([...acknowledged.values()].toSorted());
      expect(unknown.length).toBeGreaterThan(0);
      expect(others).toEqual([]);
      console.log(`${acknowledged.size - unknown.length} acknowledged, ${unknown.length} unknown at first`);
    } finally {
      isOver = true;
      await storage.close();
      await patient.close();
    }
  });
});
