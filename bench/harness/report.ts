/** Renders the report for the terminal and for RESULTS.md. */

import { cpus, release, totalmem } from 'node:os';

import type { Options } from './options.ts';
import { BENCH, readPackage, ROOT } from './paths.ts';
import type { WorkloadResult } from './result.ts';

export function renderReport(results: readonly WorkloadResult[], options: Options): string {
  const goals = results.flatMap(({ id, title, goals: lines, notes }) =>
    lines.length === 0
      ? [[id, title, notes[0] ?? '', '', '', '', '', '', 'not run']]
      : lines.map((goal, index) => [
          index === 0 ? id : '',
          index === 0 ? title : '',
          goal.against,
          goal.ours,
          goal.theirs,
          goal.value,
          goal.second,
          goal.reach,
          goal.isReached ? 'yes' : '**no**',
        ]),
  );
  const rows = results.flatMap(({ id, rows: lines }) =>
    lines.map(({ name, cells }, index) => [index === 0 ? id : '', name, ...cells]),
  );
  const notes = results.flatMap(({ id, notes: lines }) => lines.map((line) => `- ${id}: ${line}`));
  return [
    '# Results',
    '',
    `Made by \`npm run bench${options.quick ? ' -- --quick' : ''}\`. See [README.md](README.md) for how it measures.`,
    ...(options.quick
      ? ['', 'A quick run: all subjects are compared, but few are measured. Do not quote its numbers.']
      : []),
    '',
    ...machine(options),
    '',
    ...table(
      ['', 'workload', 'against', 'ours', 'theirs', 'ratio (spread)', 'second figure', 'reach', 'reached'],
      goals,
    ),
    '',
    'Ratios are ours / theirs, of the medians; the spread is that of the rounds. Numbers without a unit are requests per',
    'second. \\* marks a row in which the generator’s core was over 90 % busy, so the server may have waited for it.',
    '',
    ...table(
      ['', 'subject', 'requests/s (spread)', 'per CPU s', 'p50 / p99, ms', 'generator’s core, at most'],
      rows,
    ),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
  ].join('\n');
}

function machine({ rounds, seconds, warmUpSeconds, connections }: Options): string[] {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const peers = Object.entries(readPackage(BENCH).devDependencies ?? {})
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  return [
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${gigabytes} GB, Linux ${release()}`,
    `- Versions: Node.js ${process.versions.node}, Map Locations ${readPackage(ROOT).version ?? ''}, ${peers}`,
    `- Load: ${rounds} rounds of ${seconds} s after ${warmUpSeconds} s of warm-up, ${connections} connections`,
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, 3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)];
}
