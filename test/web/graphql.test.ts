/** What the pages' client makes of requests that cannot be sent. */

import { createGraphqlClient } from '../../web/shared/graphql.ts';

describe('the GraphQL client of the pages', () => {
  const ask = (token: string) =>
    createGraphqlClient({ url: 'http://127.0.0.1:1/graphql', token })('{ a }', {});

  it('says of a token that no header can hold what it says of any that is not valid', async () => {
    for (const token of ['tóken—”', 'a\nb'])
      await expect(ask(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('says of any other token that the server is not reached', async () => {
    await expect(ask('token')).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  });
});
