/** The dashboard and the alerts query only metrics that the program exposes. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { createMetrics } from '../../src/app/observability/metrics.ts';
import { VERSION } from '../../src/lib/version.ts';
import { NO_MONGODB, ownDatabase, testServer } from '../support/mongodb-server.ts';
import { namedIn } from '../support/promql.ts';
import { freePort } from '../support/free-port.ts';
import type { Server, Settings } from '../support/program.ts';
import { createFolder, killPrograms, ROOT, startServer } from '../support/program.ts';
import { describeUnless } from '../support/skip.ts';
import { prepareMap } from './prepared-map.ts';

afterAll(killPrograms);

const FOLDER = join(ROOT, 'deploy/monitoring');
const file = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

const rules = (parse(file('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(file('grafana-dashboard.json')) as Dashboard;
const drawn = dashboard.panels.filter(({ type }) => type !== 'row');

/** Every query, with its place of use. */
const QUERIES: readonly (readonly [where: string, expression: string])[] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...drawn.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...dashboard.templating.list.flatMap(({ name, definition }) =>
    definition === undefined
      ? []
      : [[`$${name}`, /^label_values\((.+), \w+\)$/.exec(definition)![1]!] as const],
  ),
];

/** What Prometheus adds to every scrape. */
const ADDED_BY_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };

/** The labels of every exposed metric; a metric without samples has none. */
function exposedIn(text: string): Map<string, Set<string>> {
  const exposed = new Map<string, Set<string>>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
    for (const each of names) exposed.set(each, new Set());
  }
  for (const [, name = '', labels = ''] of text.matchAll(/^([A-Za-z_:][\w:]*)\{(.*)\} \S+$/gm)) {
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) exposed.get(name)?.add(label);
  }
  return exposed;
}

/** The metrics of a server after some requests. */
async function scrape(cwd: string, url: string, env: Settings = {}): Promise<string> {
  const port = await freePort();
  const settings = { DATABASE_URL: url, DEMO: '0', PORT: '0', METRICS_PORT: String(port), ...env };
  const server: Server = await startServer({ cwd, env: settings });
  await fetch(`${server.url}/healthz`);
  await fetch(`${server.url}/v0/map/none`);
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  await server.stop();
  return text;
}

/** Metrics of events that no server here has: geocodes, failed database commands and others. */
async function counted(): Promise<string> {
  const metrics = createMetrics();
  metrics.observeGeocode({ provider: 'google', outcome: 'found', milliseconds: 1, isCacheHit: false });
  metrics.observeStorageCommand({ command: 'find', milliseconds: 1, isFailed: true });
  metrics.observeSubscription('sse', 1);
  metrics.observeChangeSent('sse');
  metrics.observeUpstream({ verb: 'map', outcome: '200', milliseconds: 1 });
  metrics.observeWebhookAttempt({ outcome: 'delivered', milliseconds: 1 });
  metrics.observeWebhooks({ active: 1, failing: 0, disabled: 0 });
  return (await metrics.render()).text;
}

describe('the expression parser', () => {
  it('returns metrics and labels, and no other words of PromQL', () => {
    const text = `histogram_quantile(0.99, sum by (le, a) (rate(m_bucket{job="x{y}", b!~"c"}[5m]))) > on(d) 2
      and changes(n[$__rate_interval]) unless o{}`;
    expect(namedIn(text)).toEqual({
      metrics: [
        { name: 'm_bucket', labels: ['job', 'b'] },
        { name: 'n', labels: [] },
        { name: 'o', labels: [] },
      ],
      grouping: ['le', 'a', 'd'],
    });
  });
});

describe('the build information', () => {
  it('is 1, with the versions of the program and of Node.js', async () => {
    const { text } = await createMetrics().render();
    expect(text).toContain(
      `map_locations_build_info{version="${VERSION}",node_version="${process.versions.node}"} 1\n`,
    );
  });
});

describe('the files', () => {
  it('are all tested', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(['alerts.yml', 'grafana-dashboard.json', 'prometheus.yml']);
    expect(parse(file('prometheus.yml'))).toMatchObject({
      rule_files: ['alerts.yml'],
      scrape_configs: [{ job_name: 'map-locations' }],
    });
  });

  it('have alerts with unique names, a description and a severity', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations, for: time, expr } of rules) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)]);
      expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/\w/)]);
      if (time !== undefined) expect([alert, time]).toEqual([alert, expect.stringMatching(/^\d+[mh]$/)]);
      expect([alert, expr]).toEqual([alert, expect.stringContaining('job="map-locations"')]);
    }
  });

  it('have panels that do not overlap', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(drawn.filter(({ targets }) => targets === undefined || targets.length === 0)).toEqual([]);
  });
});

const mongodb = await testServer();
describeUnless(mongodb === null && NO_MONGODB, 'the queries of the dashboard and the alerts', () => {
  it('name exposed metrics with their labels', async () => {
    const cwd = createFolder();
    await prepareMap(cwd);
    const texts = [
      await scrape(cwd, 'sqlite:store.db', { WORKERS: '2' }),
      await scrape(cwd, ownDatabase(mongodb!)),
      await counted(),
    ];
    const exposed = exposedIn(texts.join('\n'));
    const unknown = QUERIES.flatMap(([where, expression]) => {
      const { metrics, grouping } = namedIn(expression);
      expect([where, metrics.length > 0]).toEqual([where, true]);
      const known = new Set([
        ...ADDED_BY_PROMETHEUS.labels,
        ...metrics.flatMap(({ name }) => [...(exposed.get(name) ?? [])]),
      ]);
      return [
        ...metrics
          .filter(({ name }) => !exposed.has(name) && !ADDED_BY_PROMETHEUS.metrics.includes(name))
          .map(({ name }) => name),
        ...metrics.flatMap(({ name, labels }) =>
          labels
            .filter(
              (label) =>
                !ADDED_BY_PROMETHEUS.labels.includes(label) && exposed.get(name)?.has(label) !== true,
            )
            .map((label) => `${name}{${label}}`),
        ),
        ...grouping.filter((label) => !known.has(label)).map((label) => `by (${label})`),
      ].map((what) => `${where}: ${what}`);
    });
    expect(unknown).toEqual([]);
    // Every metric of the program appears in a query.
    const shown = new Set(
      QUERIES.flatMap(([, expression]) => namedIn(expression).metrics.map(({ name }) => name)),
    );
    const own = [...exposed.keys()].filter(
      (name) => name.startsWith('map_locations_') && !name.endsWith('_sum'),
    );
    expect(own.filter((name) => !shown.has(name) && !shown.has(name.replace(/_bucket$/, '_count')))).toEqual(
      [],
    );
  });
});
