import type { Workspace } from './run-cli.ts';
import { createWorkspace } from './run-cli.ts';

describe('map-locations serve', () => {
  let workspace: Workspace;
  beforeAll(() => {
    workspace = createWorkspace();
    workspace.environment.DEMO = '0';
    workspace.environment.PORT = '1';
  });
  afterAll(() => workspace.remove());

  it('prefers --port to PORT', async () => {
    const { child, outcome } = workspace.start('serve', '--port', '0');
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const [, found] = /^ {2}Start +(\S+)$/m.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.on('close', () => reject(new Error('It ended.')));
    });
    expect(new URL(url).port).not.toBe('1');
    expect((await fetch(new URL('/healthz', url))).status).toBe(200);
    child.kill('SIGTERM');
    expect((await outcome).code).toBe(0);
  });

  it('refuses an invalid port, naming the setting', async () => {
    const { code, stderr } = await workspace.run('serve', '--port', 'many');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^ {2}PORT must be a whole number/m)]);
  });
});
