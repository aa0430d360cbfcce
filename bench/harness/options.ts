/** The command line. */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  /** Ids of workloads; null for all. */
  readonly only: readonly string[] | null;
  readonly quick: boolean;
  readonly rounds: number;
  /** Of one measurement. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
  /** Whether to write RESULTS.md. */
  readonly write: boolean;
  /** Absolute path of the folder that keeps stores for later runs; null keeps none. */
  readonly stores: string | null;
  readonly sizes: Sizes;
}

export interface Sizes {
  /** Number of locations in the map whose pages are read. */
  readonly map: number;
  readonly largeMap: number;
  readonly smallMap: number;
  /** Number of maps of 1,000 locations in MongoDB. */
  readonly maps: number;
  readonly importedRows: number;
  /** Requests between two measurements of the server's memory. */
  readonly reads: number;
  /** Whole seconds of expensive requests while another client reads pages. */
  readonly expensiveSeconds: number;
}

const FULL: Sizes = {
  map: 100_000,
  largeMap: 1_000_000,
  smallMap: 10_000,
  maps: 10,
  importedRows: 100_000,
  reads: 1_000_000,
  expensiveSeconds: 60,
};
const QUICK: Sizes = {
  map: 20_000,
  largeMap: 50_000,
  smallMap: 5_000,
  maps: 3,
  importedRows: 10_000,
  reads: 5_000,
  expensiveSeconds: 5,
};

export const USAGE = `npm run bench -- [options]

  --only P1,P3     run only these workloads
  --quick          run everything smaller and shorter, in minutes: to check that it runs, not to quote
  --rounds N       rounds (3; quick: 2)
  --seconds N      whole seconds per measurement (5; quick: 1)
  --warm-up N      whole seconds of load before the first round (3; quick: 1)
  --connections N  concurrent clients (32)
  --stores DIR     keep what takes minutes to create (large stores, the earlier program) in DIR, and reuse it until
                   its sources change
  --write          write bench/RESULTS.md even with --only or --quick`;

/** @throws Error that says what is wrong */
export function readOptions(args: readonly string[], known: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      connections: { type: 'string' },
      stores: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { quick } = values;
  const only = values.only?.split(',').map((id) => id.trim().toUpperCase()) ?? null;
  const unknown = only?.filter((id) => !known.includes(id)) ?? [];
  if (unknown.length > 0)
    throw new Error(`Unknown workloads: ${unknown.join(', ')}. The workloads are ${known.join(', ')}.`);
  return {
    only,
    quick,
    rounds: wholeNumber('rounds', values.rounds, quick ? 2 : 3),
    seconds: wholeNumber('seconds', values.seconds, quick ? 1 : 5),
    warmUpSeconds: wholeNumber('warm-up', values['warm-up'], quick ? 1 : 3),
    connections: wholeNumber('connections', values.connections, 32),
    write: values.write || (only === null && !quick),
    stores: values.stores === undefined ? null : resolve(values.stores),
    sizes: quick ? QUICK : FULL,
  };
}

function wholeNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} must be a whole number of at least 1.`);
  return value;
}
