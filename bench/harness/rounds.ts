/** Interleaved rounds: each measures all contenders, so that other load on the machine affects all alike. */

import type { Bench } from './bench.ts';
import type { Subject } from './subject.ts';
import type { Load, Measured, Sample } from './wrk.ts';
import { generateLoad } from './wrk.ts';

export interface Contender {
  readonly name: string;
  readonly subject: Subject;
  readonly load: Pick<Load, 'file' | 'count' | 'headers'>;
  /** Concurrent clients; by default those of the options. */
  readonly connections?: number;
}

export async function measureRounds(bench: Bench, contenders: readonly Contender[]): Promise<Measured[]> {
  const { cores, options } = bench;
  const { rounds, seconds, warmUpSeconds } = options;
  const samples = new Map<Contender, Sample[]>(contenders.map((contender) => [contender, []]));
  for (const { subject, load, connections = options.connections } of contenders) {
    await generateLoad(subject, { ...load, connections, seconds: warmUpSeconds }, cores);
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index] of contenders.entries()) {
      // Each round starts with another contender, and elsewhere in the requests.
      const contender = contenders[(index + round) % contenders.length];
      if (contender === undefined) continue;
      const { connections = options.connections } = contender;
      const load = { ...contender.load, connections, seconds, from: round / (rounds + 1) };
      const sample = await generateLoad(contender.subject, load, cores);
      if (sample.requests === 0)
        throw new Error(`${contender.name} completed no request within ${seconds} s.`);
      samples.get(contender)?.push(sample);
      bench.progress(`round ${round}: ${contender.name} ${Math.round(sample.perSecond)}/s`);
    }
  }
  return contenders.map((contender) => ({ name: contender.name, samples: samples.get(contender) ?? [] }));
}
