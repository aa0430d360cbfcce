/** When the console asks for suggestions while an address is typed, and which responses it shows. */

import { Deferred } from '../../src/lib/deferred.ts';
import type { Suggestion } from '../../web/console/form/address-suggester.ts';
import { addressOf, AddressSuggester } from '../../web/console/form/address-suggester.ts';
import { GraphqlError } from '../../web/shared/graphql.ts';

const NEAR = { latitude: 48, longitude: 9 };

function suggestionsOf(...labels: readonly string[]): readonly Suggestion[] {
  return labels.map((label) => ({ label, description: null, latitude: 48, longitude: 9 }));
}

/** The callbacks of settled promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

async function wait(milliseconds: number): Promise<void> {
  jest.advanceTimersByTime(milliseconds);
  await settle();
}

describe('suggestions while an address is typed', () => {
  interface Request {
    readonly text: string;
    readonly signal: AbortSignal;
    readonly response: Deferred<readonly Suggestion[]>;
  }
  let requests: Request[];
  let shown: string[][];
  let suggester: AddressSuggester;

  beforeEach(() => {
    jest.useFakeTimers();
    requests = [];
    shown = [];
    suggester = new AddressSuggester(({ text, near }, signal) => {
      expect(near).toBe(NEAR);
      const response = new Deferred<readonly Suggestion[]>();
      requests.push({ text, signal, response });
      return response.promise;
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const texts = () => requests.map(({ text }) => text);
  const type = (text: string) =>
    suggester.suggest(text, NEAR, (found) => shown.push(found.map(({ label }) => label)));

  async function respond(index: number, response: readonly Suggestion[] | GraphqlError): Promise<void> {
    if (response instanceof GraphqlError) requests[index]?.response.reject(response);
    else requests[index]?.response.resolve(response);
    await settle();
  }

  it('are requested 250 ms after the last key, for the trimmed text', async () => {
    type('Lis');
    await wait(249);
    type(' Lisb ');
    await wait(249);
    expect(texts()).toEqual([]);
    await wait(1);
    expect(texts()).toEqual(['Lisb']);
    await respond(0, suggestionsOf('Lisbon'));
    expect(shown).toEqual([['Lisbon']]);
    await wait(60_000);
    expect(texts()).toEqual(['Lisb']);
  });

  it('are not requested for fewer than 3 characters, and those shown disappear at once', async () => {
    type('東京');
    type('𝔏𝔦');
    type('Li ');
    await wait(1_000);
    expect(texts()).toEqual([]);
    expect(shown).toEqual([[], [], []]);
    type('東京都');
    await wait(250);
    expect(texts()).toEqual(['東京都']);
  });

  it('are only those for the last text, in whatever order responses arrive', async () => {
    type('Lis');
    await wait(250);
    type('Lisb');
    expect(requests[0]?.signal.aborted).toBe(true);
    await respond(0, suggestionsOf('for Lis'));
    await wait(250);
    type('Lisbo');
    await wait(250);
    await respond(2, suggestionsOf('for Lisbo'));
    await respond(1, suggestionsOf('for Lisb'));
    expect(texts()).toEqual(['Lis', 'Lisb', 'Lisbo']);
    expect(shown).toEqual([['for Lisbo']]);
  });

  it('are not shown after they were cancelled', async () => {
    type('Lis');
    await wait(250);
    suggester.cancel();
    await respond(0, suggestionsOf('Lisbon'));
    type('Lisb');
    suggester.cancel();
    await wait(1_000);
    expect(texts()).toEqual(['Lis']);
    expect(shown).toEqual([]);
  });

  it('are not requested for an address that was chosen, but for one that goes on from it', async () => {
    type('Lis');
    await wait(250);
    suggester.choose('Lisbon, Portugal');
    type('Lisbon, Portugal ');
    await wait(1_000);
    expect(texts()).toEqual(['Lis']);
    type('Lisbon, Portugal 1');
    await wait(250);
    expect(texts()).toEqual(['Lis', 'Lisbon, Portugal 1']);
  });

  it('are not requested again once they are unavailable', async () => {
    type('Lis');
    await wait(250);
    await respond(0, new GraphqlError('SUGGESTIONS_UNAVAILABLE', 'None.'));
    type('Lisb');
    await wait(365 * 86_400_000);
    type('Lisbo');
    await wait(250);
    expect(texts()).toEqual(['Lis']);
    expect(shown).toEqual([[], [], []]);
  });

  it.each([
    [7, 7_000],
    [null, 60_000],
  ])('pause over a quota with a retry after %p seconds', async (retryAfter, milliseconds) => {
    type('Lis');
    await wait(250);
    await respond(0, new GraphqlError('RATE_LIMITED', 'Over the quota.', { retryAfter }));
    await wait(milliseconds - 1);
    type('Lisb');
    await wait(250);
    expect(texts()).toEqual(['Lis']);
    type('Lisbo');
    await wait(250);
    expect(texts()).toEqual(['Lis', 'Lisbo']);
  });

  it('go on with the next text after another failure', async () => {
    type('Lis');
    await wait(250);
    await respond(0, new GraphqlError('GEOCODER_UNAVAILABLE', 'The provider does not answer.'));
    type('Lisb');
    await wait(250);
    await respond(1, suggestionsOf('Lisbon'));
    expect(shown).toEqual([[], ['Lisbon']]);
  });

  it('become the label and the description', () => {
    const suggestion = { label: '1 Main Street', description: 'Town', latitude: 48, longitude: 9 };
    expect(addressOf(suggestion)).toBe('1 Main Street, Town');
    expect(addressOf({ ...suggestion, description: null })).toBe('1 Main Street');
  });
});
