/** P17: a whole map as GeoJSON. */

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { Bench, Workload } from '../harness/bench.ts';
import type { Download } from '../harness/download.ts';
import { download } from '../harness/download.ts';
import { stopAfter } from '../harness/peers.ts';
import type { Headers } from '../harness/request.ts';
import { headersOf } from '../harness/request.ts';
import type { WorkloadResult } from '../harness/result.ts';
import { flatMemoryGoal, formatNumber, formatRatio, formatSpread } from '../harness/result.ts';
import { ratioOf, spreadOf } from '../harness/statistics.ts';
import type { Subject } from '../harness/subject.ts';
import { startOurs, startPeer } from '../harness/subject.ts';
import { onServerCore, sizeNotes } from './page-load.ts';

const FILE_SERVER = 'the same bytes from a file by node:http';
const TARGET_MB_PER_SECOND = 100;
const TARGET_RATIO = 0.25;

export const exportMap: Workload = {
  id: 'P17',
  async run(bench) {
    const { folder, options } = bench;
    const store = await bench.stores.large();
    const path = `/maps/${store.mapId}/locations.geojson`;
    const { 'content-type': _type, ...headers } = headersOf(store.readToken);
    const ours = await startOurs(store.url, onServerCore(bench, store));
    return stopAfter([ours], async () => {
      const file = join(folder, 'exported.geojson');
      const first = await download(ours, path, headers, file);
      await assertFeatures(file, options.sizes.largeMap);
      const probe = { path: '/', body: '{}' };
      const fileServer = await startPeer(
        FILE_SERVER,
        'static-file',
        { FILE: file },
        { core: bench.cores.server, folder, probe, headers },
      );
      return stopAfter([fileServer], async () => {
        const measured = await downloadInRounds(bench, [ours, fileServer], path, headers, first.bytes);
        return resultOf(bench, measured, first.bytes);
      });
    });
  },
};

interface MeasuredDownloads {
  readonly name: string;
  readonly downloads: Download[];
}

/** @throws Error when a response does not have `bytes` bytes */
async function downloadInRounds(
  bench: Bench,
  subjects: readonly Subject[],
  path: string,
  headers: Headers,
  bytes: number,
): Promise<MeasuredDownloads[]> {
  const contenders = subjects.map((subject) => ({
    subject,
    name: subject.name,
    downloads: [] as Download[],
  }));
  for (let round = 1; round <= bench.options.rounds; round += 1) {
    for (const [index] of contenders.entries()) {
      const { subject, name, downloads } = contenders[(index + round) % contenders.length]!;
      const sample = await download(subject, path, headers);
      if (sample.bytes !== bytes) throw new Error(`${name} sent ${sample.bytes} bytes, not ${bytes}.`);
      downloads.push(sample);
      bench.progress(`round ${round}: ${name} ${Math.round(rateOf(sample))} MB/s`);
    }
  }
  return contenders;
}

/** @param measured ours first */
function resultOf(bench: Bench, measured: readonly MeasuredDownloads[], bytes: number): WorkloadResult {
  const { largeMap } = bench.options.sizes;
  const [our = [], their = []] = measured.map(({ downloads }) => downloads);
  const rate = spreadOf(our.map(rateOf));
  const ratio = ratioOf(our.map(rateOf), their.map(rateOf));
  const { early, late } = memoryOf(our);
  return {
    id: 'P17',
    title: `export of ${formatNumber(largeMap)} as GeoJSON, ${formatNumber(bytes / 1e6)} MB`,
    goals: [
      {
        against: FILE_SERVER,
        ours: `${formatNumber(rate.median)} MB/s`,
        theirs: `${formatNumber(spreadOf(their.map(rateOf)).median)} MB/s`,
        value: formatRatio(ratio),
        second: `per CPU s ${formatRatio(ratioOf(our.map(cpuRateOf), their.map(cpuRateOf)))}`,
        target: `${TARGET_MB_PER_SECOND} MB/s or ${TARGET_RATIO}`,
        isMet: rate.median >= TARGET_MB_PER_SECOND || ratio.median >= TARGET_RATIO,
      },
      flatMemoryGoal('peak resident memory, second half of an export against the first', early, late),
    ],
    rows: measured.map(({ name, downloads }) => ({
      name,
      cells: [
        `${formatSpread(spreadOf(downloads.map(rateOf)))} MB/s`,
        `${formatNumber(spreadOf(downloads.map(cpuRateOf)).median)} MB`,
        '',
        '',
      ],
    })),
    notes: [
      `resident memory at each tenth of the last export: ${curveOf(our.at(-1)?.memory ?? []).join(', ')} MB`,
      ...sizeNotes(bench),
    ],
  };
}

const rateOf = ({ bytes, seconds }: Download) => bytes / 1e6 / seconds;
const cpuRateOf = ({ bytes, cpuSeconds }: Download) => bytes / 1e6 / cpuSeconds;

/** The peaks of all exports. */
function memoryOf(downloads: readonly Download[]): { early: number; late: number } {
  const peak = (part: (memory: readonly number[]) => readonly number[]) =>
    Math.max(...downloads.flatMap(({ memory }) => part(memory)));
  return {
    early: peak((memory) => memory.slice(0, Math.ceil(memory.length / 2))),
    late: peak((memory) => memory.slice(Math.floor(memory.length / 2))),
  };
}

function curveOf(memory: readonly number[]): number[] {
  return Array.from({ length: 11 }, (_, tenth) =>
    Math.round(memory[Math.floor((tenth / 10) * (memory.length - 1))] ?? Number.NaN),
  );
}

/** @throws Error when the file has another number of Features */
async function assertFeatures(file: string, count: number): Promise<void> {
  let features = 0;
  let rest = '';
  const mark = '"type":"Feature"';
  await pipeline(createReadStream(file, { encoding: 'latin1' }), async (chunks: AsyncIterable<string>) => {
    for await (const chunk of chunks) {
      const text = rest + chunk;
      features += text.split(mark).length - 1;
      rest = text.slice(-(mark.length - 1));
    }
  });
  if (features !== count) throw new Error(`The export has ${features} Features, not ${count}.`);
}
