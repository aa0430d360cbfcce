/** Which reads wait for the confirmation of a new primary, and which are repeated. Elections are simulated. */

import { ObjectId } from 'mongodb';

import { Primaries } from '../../../src/storage/mongodb/fresh-reads.ts';
import { openMongodbStorage } from '../../../src/storage/mongodb/storage.ts';
import { append, seedMap } from '../../contract/storage/fixtures.ts';
import { startProxy } from '../../support/mongodb-proxy.ts';
import { NEEDS_REPLICA_SET, NO_MONGODB, ownDatabase, testServer } from '../../support/mongodb-server.ts';
import { describeUnless } from '../../support/skip.ts';
import { until } from '../../support/until.ts';

const elected = (address: string) => ({ type: 'RSPrimary' as const, address, electionId: new ObjectId() });

describe('mongodb: reads from a new primary', () => {
  /** The events, in order. */
  let steps: string[];
  let confirm: () => Promise<void>;
  const read = (primaries: Primaries, once = async () => void steps.push('read')) =>
    primaries.read(once, () => void steps.push('again'));
  const startPrimaries = () =>
    new Primaries(async () => {
      steps.push('confirm');
      await confirm();
    });
  beforeEach(() => {
    steps = [];
    confirm = async () => {};
  });

  it('the first one waits until the primary is confirmed, and the others do not', async () => {
    const primaries = startPrimaries();
    primaries.observe(elected('a'));
    await Promise.all([read(primaries), read(primaries)]);
    await read(primaries);
    expect(steps).toEqual(['confirm', 'read', 'read', 'read']);
  });

  it('a re-elected primary is a new one; a repeated description is not', async () => {
    const primaries = startPrimaries();
    const first = elected('a');
    for (const description of [first, first, elected('a')]) {
      primaries.observe(description);
      await read(primaries);
    }
    expect(steps).toEqual(['confirm', 'read', 'read', 'confirm', 'read']);
  });

  it('a read during an election is repeated at the new primary', async () => {
    const primaries = startPrimaries();
    primaries.observe(elected('a'));
    let count = 0;
    await read(primaries, async () => {
      steps.push('read');
      if ((count += 1) === 1) primaries.observe(elected('b'));
    });
    expect(steps).toEqual(['confirm', 'read', 'again', 'confirm', 'read']);
  });

  it('a wait continues for the primary of a newer election', async () => {
    const primaries = startPrimaries();
    primaries.observe(elected('a'));
    confirm = async () => {
      if (steps.length === 1) primaries.observe(elected('b'));
    };
    await read(primaries);
    expect(steps).toEqual(['confirm', 'confirm', 'read']);
  });

  it('a failed confirmation fails the waiting reads, and the next read tries again', async () => {
    const primaries = startPrimaries();
    primaries.observe(elected('a'));
    confirm = () => Promise.reject(new Error('no majority'));
    await expect(read(primaries)).rejects.toThrow('no majority');
    confirm = async () => {};
    await read(primaries);
    expect(steps).toEqual(['confirm', 'confirm', 'read']);
  });

  it('without elections nothing waits', async () => {
    const primaries = startPrimaries();
    primaries.observe({ type: 'Standalone', address: 'a', electionId: null });
    await read(primaries);
    expect(steps).toEqual(['read']);
  });
});

const server = await testServer();
const skip = server === null ? NO_MONGODB : !server.isReplicaSet && NEEDS_REPLICA_SET;

describeUnless(skip, 'mongodb: reads from a primary after another election', () => {
  const url = ownDatabase(server!);

  it('every read of a call comes after a linearizable one', async () => {
    const electionId = new ObjectId();
    let isElected = false;
    const levels: string[] = [];
    const proxy = await startProxy(url, {
      response: (response) =>
        isElected && 'electionId' in response ? { ...response, electionId } : response,
      judge: (name, command) => {
        const { level } = (command['readConcern'] ?? {}) as { readonly level?: string };
        if (isElected && ['find', 'aggregate'].includes(name)) levels.push(String(level));
        return 'pass';
      },
    });
    // The driver checks the server as often as it may.
    const storage = await openMongodbStorage(`${proxy.url}&heartbeatFrequencyMS=500`, { timeoutMs: 10_000 });
    const { id } = await seedMap(storage);
    const location = await append(storage, id);
    isElected = true;
    await until(async () => {
      expect(await storage.getLocations(id, [location.id])).toEqual([location]);
      return levels.includes('linearizable');
    }, 'a read of the new primary');
    expect(await storage.countLocations(id)).toBe(1);
    expect(levels.filter((level) => level === 'linearizable')).toHaveLength(1);
    expect(levels.slice(levels.indexOf('linearizable') + 1)).not.toEqual([]);
    await storage.close();
    await proxy.close();
  });
});
