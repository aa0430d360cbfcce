/**
 * A process that watches a map: `watch-process.ts <url> <map's id>`. Says `told` when it was told of the map, and closes its
 * store, not the watch, when it is sent anything. Whether it then ends is what a test wants to know.
 */

import { once } from 'node:events';

import { openMongodbStorage } from '../../src/storage/mongodb/storage.ts';

const [url = '', mapId = ''] = process.argv.slice(2);
const storage = await openMongodbStorage(url, { timeoutMs: 60_000 });
storage.watchChanges(() => process.stdout.write('told\n')).add(mapId);
await once(process.stdin, 'data');
process.stdin.destroy();
await storage.close();
