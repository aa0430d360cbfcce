import { ServiceError } from '../../../src/errors.ts';
import { createRetry } from '../../../src/upstream/mirror/retry.ts';

const refusal = () => new ServiceError('RATE_LIMITED', 'Later.', { retryAfterSeconds: 0 });

it('retries a repeatedly refused request while others succeed', async () => {
  const retry = createRetry(undefined, 2);
  let tries = 0;
  const unlucky = retry(async () => {
    tries += 1;
    await retry(() => Promise.resolve());
    if (tries < 20) throw refusal();
    return 'answer';
  });
  expect(await unlucky).toBe('answer');
});

it('gives up after five refusals in a row of every concurrent request', async () => {
  for (const [atOnce, most] of [
    [1, 5],
    [3, 15],
  ] as const) {
    let tries = 0;
    const work = () => {
      tries += 1;
      return Promise.reject(refusal());
    };
    await expect(createRetry(undefined, atOnce)(work)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(tries).toBe(most);
  }
});

it('does not retry other failures', async () => {
  let tries = 0;
  const work = () => {
    tries += 1;
    return Promise.reject(new ServiceError('FORBIDDEN', 'No.'));
  };
  await expect(createRetry(undefined)(work)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(tries).toBe(1);
});
