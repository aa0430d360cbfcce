/** The latency that other clients see during an attack: small sequential requests, and the slowest of them. */

import { Agent, request } from 'node:http';

import { delay } from '../../support/program.ts';

const PAUSE_MS = 10;

export interface Waits {
  /** The slowest ping, milliseconds. */
  readonly worstMs: number;
  /** The duration of the attack, milliseconds. */
  readonly attackMs: number;
}

/** Requests `/healthz` on its own connection until the attack is over, and once more. */
export async function waitsDuring<T>(
  url: string,
  attack: () => Promise<T>,
): Promise<Waits & { readonly result: T }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ping = () => timed(() => requestHealth(`${url}/healthz`, agent));
  try {
    for (let index = 0; index < 20; index += 1) await ping();
    const over = new AbortController();
    const begun = performance.now();
    const attacked = attack().finally(() => over.abort());
    const waits: number[] = [];
    while (!over.signal.aborted) {
      waits.push(await ping());
      await delay(PAUSE_MS);
    }
    const result = await attacked;
    const attackMs = performance.now() - begun;
    return { worstMs: Math.max(...waits), attackMs, result };
  } finally {
    agent.destroy();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function requestHealth(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve());
    })
      .on('error', reject)
      .end();
  });
}
