/** Measures several subjects under one load, with a goal for ours against a baseline. */

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
  /** Minimum ratio of ours to the baseline. */
  readonly target: number;
}

/** @param subjects ours first */
export async function measureRatio(
  bench: Bench,
  { id, title, target }: RatioWorkload,
  subjects: readonly Subject[],
  baseline: string,
  load: Contender['load'],
): Promise<WorkloadResult> {
  const contenders = measuredOf(bench, subjects, baseline).map((subject) => ({
    name: subject.name,
    subject,
    load,
  }));
  const measured = await measureRounds(bench, contenders);
  const theirs = measured.find(({ name }) => name === baseline);
  return {
    id,
    title,
    goals: [ratioGoal(baseline, measured[0], theirs, target)],
    rows: rowsOf(measured),
    notes: [],
  };
}
