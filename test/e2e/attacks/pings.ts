/** How long others wait while one client does its worst: small requests, one after the other, and the slowest of them. */

import { Agent, request } from 'node:http';

import { delay } from '../../support/program.ts';

const PAUSE_MS = 10;

export interface Waits {
  /** Milliseconds that the slowest ping took. */
  readonly worstMs: number;
  /** Milliseconds that the attack took. */
  readonly attackMs: number;
}

/** Asks `/healthz` on a connection of its own until the attack is over, and once more. */
export async function waitsDuring<T>(
  url: string,
  attack: () => Promise<T>,
): Promise<Waits & { readonly result: T }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ping = () => timed(() => ask(`${url}/healthz`, agent));
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

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve());
    })
      .on('error', reject)
      .end();
  });
}
