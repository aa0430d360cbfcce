import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError, readConfig, readEnvironment } from '../../src/app/config.ts';

describe('the environment', () => {
  /** Runs in a temporary folder with this `.env` file. */
  function inFolder(env: string | null, run: () => void): void {
    const before = process.cwd();
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    try {
      if (env !== null) writeFileSync(join(folder, '.env'), env);
      process.chdir(folder);
      run();
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true });
      delete process.env.LOG_LEVEL;
      delete process.env.PORT;
    }
  }

  it('prefers variables of the process over .env in the current directory', () => {
    inFolder('PORT=1234\nLOG_LEVEL=warn\n# a comment\nHOST="::1"\n', () => {
      process.env.LOG_LEVEL = 'error';
      const { port, logLevel, host } = readConfig();
      expect([port, logLevel, host]).toEqual([1234, 'error', '::1']);
    });
  });

  it('keeps an empty variable of the process even if .env sets it', () => {
    inFolder('PORT=1234\n', () => {
      process.env.PORT = '';
      expect(readConfig().port).toBe(4000);
    });
  });

  it('needs no .env, and is unchanged after reading one', () => {
    inFolder(null, () => expect(readConfig(readEnvironment()).port).toBe(4000));
    inFolder('PORT=1234\n', () => {
      expect(readConfig().port).toBe(1234);
      expect(process.env.PORT).toBeUndefined();
    });
  });

  it('is refused if .env exists and cannot be read', () => {
    inFolder(null, () => {
      mkdirSync('.env');
      expect(() => readEnvironment()).toThrow(ConfigError);
    });
  });
});
