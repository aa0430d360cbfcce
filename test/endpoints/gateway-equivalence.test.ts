/** A gateway in front of our own server behaves like the server itself, at both endpoints. */

import { graphqlEndpoint, restEndpoint } from '../support/endpoints.ts';
import { compareEndpoints } from './equivalence-suite.ts';

const RUNS = Number(process.env.EQUIVALENCE_RUNS ?? 15);

for (const [name, open] of [
  ['/v0', restEndpoint],
  ['GraphQL', graphqlEndpoint],
] as const) {
  describe(`the same operations through ${name} of a server, and of a gateway in front of one`, () => {
    it('have the same outcomes and leave the same state', () =>
      compareEndpoints([{ open }, { open, behindGateway: true }], RUNS));
  });
}
