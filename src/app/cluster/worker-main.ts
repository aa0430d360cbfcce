/** The program of a worker process: waits for its settings, then serves. */

import { nameSources } from '../../lib/stack-traces.ts';
import { send } from './link.ts';
import type { ToWorker } from './messages.ts';
import { serveAsWorker } from './worker.ts';

nameSources();
process.on('message', function start(message: ToWorker) {
  // The primary may tell all its workers something before this one serves.
  if (message.type !== 'serve') return;
  process.off('message', start);
  void serveAsWorker(message);
});
await send({ type: 'online' });
