/** For `node --import`: writes the URL of each module that is loaded from then on to the file MODULES_FILE. */

import { appendFileSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const hooks = `
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(process.env.MODULES_FILE, url + '\\n');
    return next(url, context);
  }
`;

if (isMainThread) {
  appendFileSync(process.env.MODULES_FILE, '');
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
