import { graphqlEndpoint, restEndpoint } from '../support/endpoints.ts';
import type { Kinds } from './equivalence-suite.ts';
import { compareEndpoints, withDeployments } from './equivalence-suite.ts';

const KINDS: Kinds = [{ open: restEndpoint }, { open: graphqlEndpoint }];

describe('the same operations through /v0 and GraphQL', () => {
  it('have the same outcomes and leave the same state', () =>
    compareEndpoints(KINDS, Number(process.env.EQUIVALENCE_RUNS ?? 40)));
});

describe('a mistake that GraphQL finds in the variables', () => {
  const good = { Name: 'A', Address: 'B' };
  for (const [what, creation] of [
    ['fields that are a list', { fields: [] }],
    ['fields that are a string', { fields: 'x' }],
    ['fields that are null', { fields: null }],
    ['no fields', { fields: undefined }],
    ['an order that is a number', { fields: good, order: 1 }],
    ['an order that is an object', { fields: good, order: {} }],
    ['an order that is a list', { fields: good, order: ['1'] }],
    ['an order that is true', { fields: good, order: true }],
  ] as const) {
    it(`is BAD_USER_INPUT through both: ${what}`, () =>
      withDeployments(KINDS, async (deployments) => {
        for (const { endpoint, maps, server } of deployments) {
          expect(await endpoint.create(maps[0]!, 'write', creation)).toEqual({ error: 400 });
          expect(server.geocoder.asked).toEqual([]);
        }
      }));
  }

  it('is BAD_USER_INPUT through both: a number beyond the range of doubles', () =>
    withDeployments(KINDS, async ([{ endpoint: rest, maps }, { endpoint: graphql, maps: others }]) => {
      const text = '{"Name":"A","Address":"B","n":1e400}';
      const posted = await rest.server.request('POST', `/v0/map/${maps[0]}/location`, {
        body: `{"fields":${text}}`,
      });
      expect([posted.status, posted.json.error]).toEqual([400, 400]);
      const query =
        'mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }';
      const body = `{"query":${JSON.stringify(query)},"variables":{"input":{"mapId":"${others[0]}","fields":${text}}}}`;
      const { json } = await graphql.server.request('POST', '/graphql', { body });
      expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }));
});
