/**
 * Which index, with which bounds, a command uses, from either form of an explanation: the stages of mongod's winning plan, or
 * PostgreSQL's plan from FerretDB.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { Db, Document } from 'mongodb';
import { BSON } from 'mongodb';

export type Bound = 'equal' | 'points' | 'range' | 'all';

export interface Access {
  /** The command and its collection. */
  readonly statement: string;
  readonly index: string;
  readonly bounds: Readonly<Record<string, Bound>>;
  /** The stages of mongod's winning plan; empty with another server. */
  readonly stages: readonly string[];
  /** The number of shards queried; 1 without sharding. */
  readonly shards: number;
}

/** Commands that read no data. */
const NOT_QUERIES = new Set([
  'insert',
  'createIndexes',
  'getMore',
  'killCursors',
  'commitTransaction',
  'abortTransaction',
]);

export function isQuery(command: Document): boolean {
  const [first] = (command['pipeline'] ?? []) as Document[];
  return !NOT_QUERIES.has(Object.keys(command)[0] ?? '') && first?.['$changeStream'] === undefined;
}

/** The filter of a command. */
export function filterOf(command: Document): Document {
  const [name = ''] = Object.keys(command);
  const [part] = (command['pipeline'] ?? command['updates'] ?? command['deletes'] ?? []) as Document[];
  if (name === 'findAndModify') return command['query'] as Document;
  return (part === undefined ? command['filter'] : (part['$match'] ?? part['q'])) as Document;
}

/** Explains a command as it was sent. @param isMongod otherwise a write is explained by its search */
export async function explain(db: Db, command: Document, isMongod: boolean): Promise<Access> {
  const [name = ''] = Object.keys(command);
  const collection = String(command[name]);
  const asked = isMongod || name === 'find' || name === 'aggregate' ? bare(command) : searchOf(command);
  // The driver reports a command with undefined members, which the store does not send.
  const response = await db.command({ explain: asked, verbosity: 'queryPlanner' }, { ignoreUndefined: true });
  // For an aggregation, mongos returns the plan of each shard.
  const each = Object.values((response['shards'] ?? {}) as Record<string, Document>);
  const planner = plannerOf(each[0] ?? response);
  const plan = 'winningPlan' in planner ? fromStages(planner['winningPlan']) : fromNodes(planner['Plan']);
  const access = { ...plan, bounds: asAsked(plan.bounds, filterOf(command)) };
  const ofPlan = ((planner['winningPlan'] as Document | undefined)?.['shards'] as unknown[] | undefined)
    ?.length;
  return { statement: `${name} ${collection}`, ...access, shards: Math.max(1, ofPlan ?? each.length) };
}

/** mongod shows a range of one value as that value. It counts as a range, as in the filter. */
function asAsked(bounds: Access['bounds'], filter: Document | undefined): Access['bounds'] {
  const ranges = new Set(closedRangesOf(filter));
  const entries = Object.entries(bounds).map(([field, bound]) => {
    const isPoint = bound === 'equal' || bound === 'points';
    return [field, isPoint && ranges.has(field) ? 'range' : bound] as const;
  });
  return Object.fromEntries(entries);
}

/** The fields with both bounds in the filter. */
function closedRangesOf(filter: Document = {}): string[] {
  return Object.entries(filter).flatMap(([field, condition]: [string, unknown]) => {
    if (Array.isArray(condition)) return condition.flatMap((part: Document) => closedRangesOf(part));
    const names = Object.keys(condition ?? {});
    return names.includes('$gte') && names.includes('$lte') ? [field] : [];
  });
}

function plannerOf(response: Document): Document {
  return (response['queryPlanner'] ??
    (response['stages'] as Document[] | undefined)?.[0]?.['$cursor']?.queryPlanner) as Document;
}

/** Without the members of its session. */
function bare(command: Document): Document {
  const { lsid: _lsid, $db: _db, $clusterTime: _time, txnNumber: _number, ...rest } = command;
  const { startTransaction: _start, autocommit: _commit, maxTimeMS: _most, ...more } = rest;
  const { readConcern: _read, writeConcern: _write, $readPreference: _preference, ...own } = more;
  return own;
}

function searchOf(command: Document): Document {
  const [name = ''] = Object.keys(command);
  const [statement] = (command['updates'] ?? command['deletes'] ?? [command]) as Document[];
  const hint = statement?.['hint'] as unknown;
  return { find: command[name], filter: filterOf(command), ...(hint === undefined ? {} : { hint }) };
}

type Plan = Pick<Access, 'index' | 'bounds' | 'stages'>;

function fromStages(plan: Document): Plan {
  // With the slot-based engine, the plan is one level deeper.
  const stages = stagesOf((plan['queryPlan'] ?? plan) as Document);
  const names = stages.map(({ stage }) => String(stage));
  const scan = stages.find(({ stage }) => ['IXSCAN', 'COUNT_SCAN', 'EXPRESS_IXSCAN'].includes(String(stage)));
  // An equal _id has its own stages.
  const isById = names.some((name) => ['IDHACK', 'EXPRESS_CLUSTERED_IXSCAN'].includes(name));
  if (isById) return { index: '_id_', bounds: { _id: 'equal' }, stages: names };
  if (scan === undefined) return { index: 'none', bounds: {}, stages: names };
  return { index: String(scan['indexName']), bounds: boundsOfStage(scan), stages: names };
}

function boundsOfStage({ stage, indexBounds = {} }: Document): Record<string, Bound> {
  if (stage === 'EXPRESS_IXSCAN') return { _id: 'equal' };
  const { startKey, endKey } = indexBounds as Document;
  const entries: [string, Bound][] =
    startKey === undefined
      ? Object.entries(indexBounds as Record<string, string[]>).map(([field, list]) => [field, boundOf(list)])
      : Object.entries(startKey as Document).map(([field, value]) => [
          field,
          value === (endKey as Document)[field] ? 'equal' : 'range',
        ]);
  return Object.fromEntries(entries);
}

function stagesOf(plan: Document): Document[] {
  const below = [
    plan['inputStage'],
    ...((plan['inputStages'] ?? []) as unknown[]),
    ...((plan['shards'] ?? []) as Document[]).map((shard) => shard['winningPlan'] as unknown),
  ];
  return [
    plan,
    ...below.filter((stage) => stage !== undefined).flatMap((stage) => stagesOf(stage as Document)),
  ];
}

function boundOf(intervals: readonly string[]): Bound {
  const [first = '', last = ''] = [intervals[0], intervals.at(-1)];
  if (/^.M(in|ax)Key/.test(first) && /M(in|ax)Key.$/.test(last)) return 'all';
  const isPoint = (text: string) => {
    const inner = text.slice(1, -1);
    const half = (inner.length - 2) / 2;
    return text.startsWith('[') && inner.slice(0, half) === inner.slice(half + 2);
  };
  if (!intervals.every(isPoint)) return 'range';
  return intervals.length === 1 ? 'equal' : 'points';
}

function fromNodes(plan: Document): Plan {
  const [first, ...others] = nodesOf(plan)
    .filter((node) => 'Index Name' in node)
    .map((node) => ({
      index: String(node['Index Name']),
      bounds: boundsOf(String(node['Index Cond'] ?? '')),
      stages: [],
    }));
  // One for each branch of an alternative.
  if (others.some((other) => !isDeepStrictEqual(other, first))) throw new Error('a plan of unlike parts');
  return first ?? { index: 'none', bounds: {}, stages: [] };
}

function nodesOf(node: Document): Document[] {
  return [node, ...((node['Plans'] ?? []) as Document[]).flatMap(nodesOf)];
}

function boundsOf(condition: string): Record<string, Bound> {
  const bounds: Record<string, Bound> = {};
  if (/object_id OPERATOR\(\S+\.=\) (ARRAY|ANY)/.test(condition)) bounds['_id'] = 'points';
  else if (/object_id OPERATOR\(\S+\.=\)/.test(condition)) bounds['_id'] = 'equal';
  const terms = /document OPERATOR\(\S+\.(@[^)]*)\) 'BSONHEX([0-9a-f]+)'/g;
  for (const [, operator = '', hex = ''] of condition.matchAll(terms)) {
    const [[field = '', value] = []] = Object.entries(BSON.deserialize(Buffer.from(hex, 'hex')));
    // A prefix is a range of texts.
    const isRange = Array.isArray(value) && value.some((item) => item instanceof RegExp);
    // PostgreSQL's form of a full index scan.
    if (operator === '@<>') bounds[field] = 'all';
    else bounds[field] = operator === '@=' ? 'equal' : operator === '@*=' && !isRange ? 'points' : 'range';
  }
  return bounds;
}

/**
 * Resolves when all write intents are closed, which a store does by itself soon after a write, and the store sends nothing
 * more: of two reads that close the same write, one may still be at work when the other has closed it.
 *
 * @param sent the commands of the store so far
 */
export async function settled(dbs: readonly Db[], sent: readonly unknown[]): Promise<void> {
  const open = { $or: [{ 'count.open.0': { $exists: true } }, { 'log.open.0': { $exists: true } }] };
  for (let known = -1; known !== sent.length;) {
    known = sent.length;
    for (const db of dbs) {
      // As the store reads: what is local is acknowledged by the majority later, on one server too.
      const maps = db.collection('maps', { readConcern: { level: 'majority' } });
      while ((await maps.findOne(open)) !== null) await delay(20);
    }
  }
}

/** Equal fields come first in every index. */
const PRECISION: readonly Bound[] = ['equal', 'points', 'range', 'all'];

/** As in the table of plans. */
export function line({ statement, index, bounds }: Access): string {
  const parts = Object.entries(bounds)
    .filter(([, bound]) => bound !== 'all')
    // In index order, whatever the order of the plan's conditions.
    .toSorted(([, one], [, other]) => PRECISION.indexOf(one) - PRECISION.indexOf(other))
    .map(([field, bound]) => `${field} ${bound}`);
  return `${statement}: ${index}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}
