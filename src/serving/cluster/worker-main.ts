/** The program of a worker process: waits for its settings, then serves. */

import { nameSources } from '../../stack-traces.ts';
import { send } from './link.ts';
import type { ServeMessage } from './messages.ts';
import { serveAsWorker } from './worker.ts';

nameSources();
process.once('message', (message: ServeMessage) => void serveAsWorker(message));
await send({ type: 'awake' });
