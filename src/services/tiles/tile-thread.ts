/** The worker thread that encodes large tiles, which would block the event loop for too long. */

import { serveRequests } from '../../lib/idle-worker.ts';
import { encodeTile } from './encode-tile.ts';

serveRequests(encodeTile);
