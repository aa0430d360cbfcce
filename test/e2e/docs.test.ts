/** The documentation's commands run as written, those that cannot run here are well formed, and links resolve. */

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { composeServices } from '@apollo/composition';
import type { DocumentNode } from 'graphql';
import { isTypeSystemDefinitionNode, parse as parseDocument, validate } from 'graphql';

import { subgraphSdl } from '../../src/graphql/federation/type-defs.ts';
import { createSchema, readTypeDefs } from '../../src/graphql/schema.ts';
import { blocksOf, DECISIONS, DOCUMENTS, readDocument } from '../support/documents.ts';
import { createFolder, killPrograms, PROGRAM, ROOT, runProgram } from '../support/program.ts';
import { runShell, startPlainServer } from '../support/program.ts';
import { unlessChanged } from '../support/scope.ts';
import { itUnless } from '../support/skip.ts';

afterAll(killPrograms);

/** Documents whose own tests also check the responses. */
const TESTED_ELSEWHERE = ['README.md', 'docs/api.md'];
/** A block that is not run must need one of these. */
const NOT_HERE = /\b(docker|kubectl|sudo|systemctl|npm|relay-compiler)\b|mongodb:\/\/…/;

const shellOf = (path: string) =>
  blocksOf(readDocument(path)).filter(({ language }) => language === 'sh' || language === 'bash');
const runHere = DOCUMENTS.filter(
  (path) => !TESTED_ELSEWHERE.includes(path) && shellOf(path).some(({ notRun }) => notRun === null),
);

const isSubgraph = ({ definitions }: DocumentNode) => definitions.every(isTypeSystemDefinitionNode);

const file = (name: string) => readFileSync(join(ROOT, name), 'utf8');

describe('the commands of', () => {
  it('some documents exist', () => {
    expect(runHere).toEqual(
      expect.arrayContaining(['docs/import-export.md', 'docs/operations.md', 'docs/security.md']),
    );
  });

  for (const path of runHere) {
    const unchanged = unlessChanged(path, 'src/cli', 'examples', 'test/e2e/docs.test.ts');
    itUnless(unchanged, `${path} work as written`, async () => {
      const cwd = createFolder();
      const server = await startPlainServer(cwd);
      cpSync(join(ROOT, 'examples'), join(cwd, 'examples'), { recursive: true });
      writeFileSync(
        join(cwd, 'made.csv'),
        'Name,Address\nCafé Central,"Herrengasse 14, 1010 Wien, Austria"\n',
      );
      const prepared = `set -eu
        map-locations() { '${process.execPath}' '${PROGRAM}' "$@"; }
        curl() { command curl --silent --show-error --fail --max-time 20 "$@"; }
        URL=${server.url}
        TOKEN=$(map-locations token create --owner alice)
        MAP=$(map-locations map create --owner alice --name Cafés --published)
        OTHER_MAP=$(map-locations map create --owner alice --name Copy)
        map-locations import $MAP made.csv`;
      const commands = shellOf(path).flatMap(({ code, notRun }) => (notRun === null ? [code] : []));
      const script = [prepared, ...commands].join('\n');
      const run = await runShell(script, { cwd, env: { DATABASE_URL: 'sqlite:store.db' } });
      expect(run).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/error/i) });
      await server.stop();
    });
  }

  it('blocks that are not run say why, and need a tool that is missing here', () => {
    const blocks = DOCUMENTS.flatMap(shellOf).filter(({ notRun }) => notRun !== null);
    expect(blocks.length).toBeGreaterThan(0);
    for (const { notRun, code } of blocks) {
      expect([code, notRun]).toEqual([code, expect.stringMatching(/\w{4,}/)]);
      for (const line of code.replaceAll('\\\n', ' ').trim().split('\n')) expect(line).toMatch(NOT_HERE);
    }
  });
});

describe('the documents', () => {
  it('name files and folders of the repository that exist', () => {
    const named = [...DOCUMENTS, ...DECISIONS].flatMap((path) =>
      [
        ...readDocument(path).matchAll(
          /`((?:bench|deploy|examples|schema|scripts|src|test|web)\/[\w./-]*)`/g,
        ),
      ].map(([, name]) => ({ path, name: String(name) })),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  it('name scripts of package.json and commands of the program that exist', async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const text = DOCUMENTS.map(readDocument).join('\n');
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => String(name));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);

    const { stdout } = await runProgram(['--help'], { cwd: createFolder() });
    const commands = [...(stdout.split('Commands:')[1] ?? '').matchAll(/^ {2}(\w+)/gm)]
      .map(([, name]) => String(name))
      .filter((name) => name !== 'help');
    const called = [...text.matchAll(/(?:`|^|npx |\$\()map-locations (\w+)/gm)].map(([, name]) =>
      String(name),
    );
    expect([...new Set(called)].filter((name) => !commands.includes(name))).toEqual([]);
    const listed = readDocument('docs/command-line.md');
    expect(commands.filter((name) => !new RegExp(`^\\| .*\`${name}\\b`, 'm').test(listed))).toEqual([]);
  });

  const graphqlShown = DOCUMENTS.flatMap((path) => blocksOf(readDocument(path)))
    .filter(({ language }) => language === 'graphql')
    .map(({ code }) => ({ code, document: parseDocument(code) }));

  it('show GraphQL operations that are valid against the schema', () => {
    const operations = graphqlShown.filter(({ document }) => !isSubgraph(document));
    expect(operations.length).toBeGreaterThan(5);
    const schema = createSchema();
    for (const { code, document } of operations)
      expect([code, validate(schema, document)]).toEqual([code, []]);
  });

  it('show subgraph types that compose with ours', () => {
    const subgraphs = graphqlShown.filter(({ document }) => isSubgraph(document));
    expect(subgraphs).toHaveLength(1);
    const begin = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
      type Query { isThere: Boolean }`;
    for (const { code } of subgraphs) {
      const { errors } = composeServices([
        { name: 'ours', typeDefs: parseDocument(subgraphSdl(readTypeDefs())) },
        { name: 'theirs', typeDefs: parseDocument(`${begin}\n${code}`) },
      ]);
      expect([code, errors]).toEqual([code, undefined]);
    }
  });

  it('quote the benchmark’s figures', () => {
    const table = readDocument('README.md').split('\nWe measured ')[1]?.split('\n## ')[0] ?? '';
    const figures = [...table.matchAll(/(?<= )\d[\d,]*(?= (?:\||\())/g)].map(([figure]) => figure);
    expect(figures).toHaveLength(12);
    const results = file('bench/RESULTS.md');
    expect(figures.filter((figure) => !results.includes(`| ${figure} `))).toEqual([]);
  });

  it('link to existing files and headings', () => {
    const broken = [...DOCUMENTS, ...DECISIONS].flatMap((path) =>
      [...readDocument(path).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link]) => String(link))
        .filter((link) => !link.startsWith('http'))
        .filter((link) => {
          const [file = '', anchor] = link.split('#');
          const target = file === '' ? path : normalize(join(dirname(path), file));
          if (!existsSync(join(ROOT, target))) return true;
          return anchor !== undefined && !anchorsOf(readDocument(target)).includes(anchor);
        })
        .map((link) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

/** Heading anchors, as GitHub generates them. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
