/**
 * A process that watches a map: `watch-process.ts <url> <map id>`. Prints `told` when notified of a change, and on any
 * input closes its store, but not the watch. A test checks that it then exits.
 */

import { once } from 'node:events';

import { openMongodbStorage } from '../../src/storage/mongodb/storage.ts';

const [url = '', mapId = ''] = process.argv.slice(2);
const storage = await openMongodbStorage(url, { timeoutMs: 60_000 });
storage.watchChanges(() => process.stdout.write('told\n')).add(mapId);
await once(process.stdin, 'data');
process.stdin.destroy();
await storage.close();
