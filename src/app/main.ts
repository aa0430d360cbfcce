/** The serving process: reads the configuration, starts one or several processes, and reports a start that fails. */

import type { Config, Environment } from './config.ts';
import { ConfigError, readEnvironment, readServingConfig } from './config.ts';
import { createLogger } from './observability/logger.ts';
import { reportFailedStart } from './start-failure.ts';
import { logStart } from './log-start.ts';
import { loadTracing } from '../tracing/load.ts';

/**
 * Serves until a signal ends the process. A start that fails ends it with exit 1 and says why.
 *
 * @param settings that win over the environment
 */
export async function serve(settings: Environment = {}): Promise<void> {
  let config: Config;
  try {
    config = await readServingConfig({ ...readEnvironment(), ...settings });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`map-locations: ${error.message}`);
    process.exitCode = 1;
    return;
  }
  const { tracing, warning } = await loadTracing();
  const logger = await createLogger(config, tracing);
  try {
    await logStart(config, logger);
    if (warning !== null) logger.warn(warning);
    if (config.workers === 1)
      await (await import('./single-process.ts')).serveSingleProcess(config, logger, tracing);
    else await (await import('./cluster/primary.ts')).serveByWorkers(config, logger);
  } catch (error) {
    reportFailedStart(error, logger);
    process.exitCode = 1;
  }
}
