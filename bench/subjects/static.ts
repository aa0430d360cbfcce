/** The ceiling: node:http sends one buffer for every request. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { HOST, port, setting } from './settings.ts';

const body = readFileSync(setting('BODY_FILE'));
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };

createServer((request, response) => {
  response.writeHead(200, headers);
  response.end(body);
  // Reads the body, so that the connection can be reused.
  request.resume();
}).listen(port(), HOST);
