/** What an operator is told of the store. */

import { pino } from 'pino';

import { createObservers } from '../../src/serving/observers.ts';

describe('a notice of the store', () => {
  it('is a line of the log, of the level that it says', () => {
    const lines: unknown[] = [];
    const logger = pino(
      { base: null, timestamp: false },
      { write: (line) => void lines.push(JSON.parse(line)) },
    );
    const { onStorageNotice } = createObservers(logger, null);
    onStorageNotice?.({ level: 'error', message: 'The file has gone.' });
    onStorageNotice?.({ level: 'info', message: 'It is back.' });
    expect(lines).toEqual([
      { level: 50, msg: 'The file has gone.' },
      { level: 30, msg: 'It is back.' },
    ]);
  });
});
