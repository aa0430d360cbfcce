/** The ceiling: node:http that sends one buffer for every request. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { HOST, port, setting } from './settings.ts';

const body = readFileSync(setting('BODY_FILE'));
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };

createServer((request, response) => {
  response.writeHead(200, headers);
  response.end(body);
  // A body is read to its end, or the connection could not be used again.
  request.resume();
}).listen(port(), HOST);
