/** The result of a workload: rows of the two tables of the report. */

import type { Spread } from './statistics.ts';
import { ratioOf, spreadOf } from './statistics.ts';
import type { Measured } from './wrk.ts';

/** A row of the first table. */
export interface Goal {
  /** The baseline, or what the row measures. */
  readonly against: string;
  readonly ours: string;
  readonly theirs: string;
  readonly value: string;
  /** A second figure, such as the ratio per processor second. */
  readonly second: string;
  /** The goal, as the report shows it. */
  readonly target: string;
  readonly isMet: boolean;
}

/** A row of the second table. */
export interface Row {
  readonly name: string;
  readonly cells: readonly string[];
}

export interface WorkloadResult {
  readonly id: string;
  readonly title: string;
  readonly goals: readonly Goal[];
  readonly rows: readonly Row[];
  /** Conditions and deviations: why it was not run, what was smaller. */
  readonly notes: readonly string[];
}

/** Share of its core above which the generator may be the bottleneck. */
const BUSY = 0.9;

export type Measure = 'perSecond' | 'perCpuSecond';

const SECOND = {
  perSecond: { measure: 'perCpuSecond', label: 'per CPU s' },
  perCpuSecond: { measure: 'perSecond', label: 'raw' },
} as const;

/** Maximum ratio of two amounts of memory that count as equal. An idle heap is small, so that it varies. */
const FLAT = 1.1;

/** @param early megabytes @param late megabytes that may be at most as many, or hardly more */
export function flatMemoryGoal(against: string, early: number, late: number): Goal {
  return {
    against,
    ours: `${formatNumber(late)} MB`,
    theirs: `${formatNumber(early)} MB`,
    value: (late / early).toFixed(2),
    second: '',
    target: `flat: ≤ ${FLAT}`,
    isMet: late / early <= FLAT,
  };
}

/** @param target minimum ratio of ours to theirs */
export function ratioGoal(
  against: string,
  ours: Measured | undefined,
  theirs: Measured | undefined,
  target: number,
  measure: Measure = 'perSecond',
): Goal {
  if (ours === undefined || theirs === undefined) throw new Error(`${against} was not measured.`);
  const values = (measured: Measured, by: Measure) => measured.samples.map((sample) => sample[by]);
  const ratio = ratioOf(values(ours, measure), values(theirs, measure));
  const { measure: other, label } = SECOND[measure];
  const second = ratioOf(values(ours, other), values(theirs, other));
  const isMarked = [ours, theirs].some(isBusy);
  return {
    against,
    ours: formatNumber(spreadOf(values(ours, measure)).median),
    theirs: formatNumber(spreadOf(values(theirs, measure)).median),
    value: formatRatio(ratio) + (isMarked ? ' *' : ''),
    second: `${label} ${formatRatio(second)}`,
    target: target.toFixed(2).replace(/0$/, ''),
    isMet: ratio.median >= target,
  };
}

export function rowsOf(measured: readonly Measured[]): Row[] {
  return measured.map((each) => {
    const { name, samples } = each;
    const busiest = Math.max(...samples.map(({ generatorBusy }) => generatorBusy));
    const milliseconds = (of: 'p50' | 'p99') =>
      spreadOf(samples.map((sample) => sample[of])).median.toFixed(1);
    return {
      name,
      cells: [
        formatSpread(spreadOf(samples.map(({ perSecond }) => perSecond))),
        formatNumber(spreadOf(samples.map(({ perCpuSecond }) => perCpuSecond)).median),
        `${milliseconds('p50')} / ${milliseconds('p99')}`,
        `${Math.round(busiest * 100)} %${isBusy(each) ? ' *' : ''}`,
      ],
    };
  });
}

function isBusy({ samples }: Measured): boolean {
  return samples.some(({ generatorBusy }) => generatorBusy > BUSY);
}

export function formatRatio({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`;
}

export function formatSpread({ median, min, max }: Spread): string {
  return `${formatNumber(median)} (${formatNumber(min)}–${formatNumber(max)})`;
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });
}
