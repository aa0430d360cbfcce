/** The pages' GraphQL client, for requests that cannot be sent. */

import { createGraphqlClient } from '../../web/shared/graphql.ts';

describe('the GraphQL client of the pages', () => {
  const execute = (token: string) =>
    createGraphqlClient({ url: 'http://127.0.0.1:1/graphql', token })('{ a }', {});

  it('reports a token that no header can hold as an invalid token', async () => {
    for (const token of ['tóken—”', 'a\nb'])
      await expect(execute(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('reports any other token’s failure as an unreachable server', async () => {
    await expect(execute('token')).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });
});
