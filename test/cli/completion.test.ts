/** Shell completion follows the tree of commands. */

import { writeFileSync } from 'node:fs';

import { completionsOf } from '../../src/cli/completion.ts';
import { createProgram } from '../../src/cli/program.ts';
import { MAP_FORMATS } from '../../src/transfer/formats.ts';
import { runCommand } from '../support/program.ts';
import type { Workspace } from './run-cli.ts';
import { createWorkspace, PROGRAM } from './run-cli.ts';

const program = createProgram(() => {});
const complete = (...words: string[]) => completionsOf(program, words);

describe('completions', () => {
  it('are every command, then its arguments', () => {
    expect(complete('')).toEqual([
      'serve',
      'account',
      'token',
      'map',
      'member',
      'location',
      'import',
      'export',
      'geocode',
      'mirror',
      'mcp',
      'copy',
      'backup',
      'restore',
      'doctor',
      'secrets',
      'completion',
      'help',
    ]);
    expect(complete('ma')).toEqual(['map']);
    expect(complete('account', '')).toEqual([
      'create',
      'list',
      'reset',
      'rename',
      'disable',
      'enable',
      'help',
    ]);
    expect(complete('token', '')).toEqual(['create', 'list', 'revoke', 'help']);
    expect(complete('map', 'create', '--geo')).toEqual(['--geocoding-key']);
    expect(complete('token', 'create', '--scope', '')).toEqual(['read', 'write']);
    expect(complete('token', 'create', '--owner', 'read', '--scope', 'w')).toEqual(['write']);
    expect(complete('export', 'MAP', '--format', '')).toEqual([...MAP_FORMATS]);
    expect(complete('member', 'add', 'MAP', 'bob', '--role', '')).toEqual(['viewer', 'editor', 'owner']);
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('are empty for a file or free text', () => {
    for (const words of [
      ['import', 'MAP', ''],
      ['token', 'create', '--owner', ''],
      ['frob', ''],
    ])
      expect([words, complete(...words)]).toEqual([words, []]);
  });

  it('include every option of every command', () => {
    const walk = (command: typeof program, path: string[]): void => {
      const longs = command
        .createHelp()
        .visibleOptions(command)
        .map(({ long }) => long);
      expect(complete(...path, '--')).toEqual(longs);
      for (const subcommand of command.commands)
        if (!['complete'].includes(subcommand.name())) walk(subcommand, [...path, subcommand.name()]);
    };
    walk(program, []);
  });
});

describe('in bash', () => {
  let workspace: Workspace;
  beforeAll(() => {
    workspace = createWorkspace();
    const words = [process.execPath, ...PROGRAM].map((word) => `'${word}'`).join(' ');
    writeFileSync(workspace.path('map-locations'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  });
  afterAll(() => workspace.remove());

  const inBash = async (...words: string[]) => {
    const line = [
      'PATH="$PWD:$PATH"; eval "$(map-locations completion bash)"',
      `COMP_WORDS=(map-locations ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`,
      'complete -p map-locations >&2; _map_locations; printf "%s\\n" "${COMPREPLY[@]}"',
    ].join('\n');
    return runCommand('bash', ['--norc', '-c', line], { cwd: workspace.folder });
  };

  it('Tab completes commands, options and their values', async () => {
    const [commands, options, values] = await Promise.all([
      inBash('token', ''),
      inBash('token', 'create', '--ex'),
      inBash('token', 'create', '--scope', ''),
    ]);
    expect(commands).toMatchObject({ code: 0, stdout: 'create\nlist\nrevoke\nhelp\n' });
    expect(options.stdout).toBe('--expires\n');
    expect(values.stdout).toBe('read\nwrite\n');
    // Without a match, bash completes file names.
    expect(commands.stderr).toContain('complete -o default -F _map_locations map-locations');
  });
});

describe('the help of a command', () => {
  const examples = (text: string) =>
    [...text.matchAll(/^ {2}(?=.*map-locations )(.+)$/gm)].map(([, line]) => line!);

  const leaves = (command: typeof program): readonly (typeof program)[] =>
    command.commands
      .filter((subcommand) => !['help', 'complete'].includes(subcommand.name()))
      .flatMap((subcommand) => (subcommand.commands.length === 0 ? [subcommand] : leaves(subcommand)));

  for (const command of leaves(program)) {
    const names = [command.name()];
    for (let { parent } = command; parent?.parent; { parent } = parent) names.unshift(parent.name());
    it(`ends with examples of existing options: ${names.join(' ')}`, () => {
      let text = '';
      command.configureOutput({ writeOut: (part) => (text += part) });
      command.outputHelp();
      const [, shown = ''] = text.split(/^Examples?:$/m);
      expect(examples(shown)).not.toEqual([]);
      for (const line of examples(shown)) {
        expect(line).toContain(`map-locations ${names.join(' ')}`);
        const used = [...line.matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option);
        const known = command.options.map(({ long }) => long);
        expect(used.filter((option) => !known.includes(option))).toEqual([]);
      }
    });
  }
});
