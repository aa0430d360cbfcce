/** The ceiling of exports: node:http sends a file for a GET. */

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';

import { HOST, port, setting } from './settings.ts';

const file = setting('FILE');
const headers = { 'content-type': 'application/geo+json', 'content-length': statSync(file).size };

createServer((request, response) => {
  if (request.method !== 'GET') {
    response.end();
    return;
  }
  response.writeHead(200, headers);
  // A client that disconnects early is no error.
  pipeline(createReadStream(file), response, () => undefined);
}).listen(port(), HOST);
