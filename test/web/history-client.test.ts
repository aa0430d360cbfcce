import type { GraphqlClient } from '../../web/shared/graphql.ts';
import { HistoryClient } from '../../web/console/history/history-client.ts';

const MAP = 'map';

type Answer = (variables: { input: { ids: string[]; historyId: string } }) => unknown;

/** A client whose requests are answered by the name of their field. */
function clientOf(answers: Readonly<Record<string, Answer>>) {
  const inputs: unknown[] = [];
  const request = async (document: { toString(): string }, variables: unknown) => {
    const text = document.toString();
    const field = Object.keys(answers).find((name) => text.includes(`${name}(`)) ?? '';
    const given = variables as Parameters<Answer>[0];
    inputs.push(given.input);
    return { [field]: answers[field]?.(given) };
  };
  return { client: new HistoryClient({ request: request as GraphqlClient }, MAP), inputs };
}

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);

describe('the client for history and trash', () => {
  it('undoes several calls from the last to the first, and adds up what was left', async () => {
    const { client, inputs } = clientOf({
      undoChange: ({ input: { historyId } }) => ({
        ...{ reverted: 2, leftCount: 1 },
        left: [{ id: historyId, code: 'CONFLICT' }],
      }),
    });
    expect(await client.undo(['h1', 'h2'], { dryRun: true })).toEqual({
      ...{ reverted: 4, leftCount: 2 },
      left: [
        { id: 'h2', code: 'CONFLICT' },
        { id: 'h1', code: 'CONFLICT' },
      ],
    });
    expect(inputs).toEqual([
      { mapId: MAP, historyId: 'h2', dryRun: true },
      { mapId: MAP, historyId: 'h1', dryRun: true },
    ]);
  });

  it('restores and purges in parts of at most 1,000 locations', async () => {
    const { client, inputs } = clientOf({
      restoreLocations: ({ input: { ids } }) => ({
        results: ids.map((id) => ({ id, error: id === 'l2000' ? { code: 'EXTERNAL_ID_TAKEN' } : null })),
        historyId: `h of ${ids[0]}`,
      }),
      purgeLocations: ({ input: { ids } }) => ({ purgedIds: ids.slice(1) }),
    });
    const restored = await client.restore(idsOf(2_001));
    expect(inputs).toEqual(
      [idsOf(2_001).slice(0, 1_000), idsOf(2_001).slice(1_000, 2_000), ['l2000']].map((ids) => ({
        ...{ mapId: MAP, ids },
      })),
    );
    expect(restored).toMatchObject({
      ...{ reverted: 2_000, leftCount: 1, left: [{ id: 'l2000', code: 'EXTERNAL_ID_TAKEN' }] },
      historyIds: ['h of l0', 'h of l1000', 'h of l2000'],
    });
    expect(restored.restoredIds).toEqual(idsOf(2_000));
    expect(await client.purge(idsOf(1_001))).toEqual(idsOf(1_000).slice(1));
  });
});
