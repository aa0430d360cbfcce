/** Several subjects under one load, and the goal that ours has against one of them. */

import type { Bench } from '../harness/bench.ts';
import { measuredOf } from '../harness/peers.ts';
import type { WorkloadResult } from '../harness/result.ts';
import { ratioGoal, rowsOf } from '../harness/result.ts';
import type { Contender } from '../harness/rounds.ts';
import { measureRounds } from '../harness/rounds.ts';
import type { Subject } from '../harness/subject.ts';

export interface RatioWorkload {
  readonly id: string;
  readonly title: string;
  /** The ratio of ours to the rival's that is to be reached. */
  readonly reach: number;
}

/** @param subjects ours first */
export async function measureAgainst(
  bench: Bench,
  { id, title, reach }: RatioWorkload,
  subjects: readonly Subject[],
  rival: string,
  load: Contender['load'],
): Promise<WorkloadResult> {
  const contenders = measuredOf(bench, subjects, rival).map((subject) => ({
    name: subject.name,
    subject,
    load,
  }));
  const measured = await measureRounds(bench, contenders);
  const theirs = measured.find(({ name }) => name === rival);
  return {
    id,
    title,
    goals: [ratioGoal(rival, measured[0], theirs, reach)],
    rows: rowsOf(measured),
    notes: [],
  };
}
