/** Apollo Client as an application sets it up, on a server in this process. */

import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import type { FastifyInstance } from 'fastify';

/** The part of fetch that clients use, without a socket. */
export function fetchFrom(app: FastifyInstance): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(new URL(input instanceof Request ? input.url : input, 'http://server'), init);
    const body = await request.text();
    const response = await app.inject({
      method: request.method,
      url: request.url.slice('http://server'.length),
      headers: Object.fromEntries(request.headers),
      ...(body === '' ? {} : { payload: body }),
    });
    return new Response(response.body, {
      status: response.statusCode,
      headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    });
  };
}

/** @param links placed before the one that sends */
export function createApolloClient(
  app: FastifyInstance,
  token: string,
  links: readonly ApolloLink[] = [],
): ApolloClient {
  const http = new HttpLink({
    uri: 'http://server/graphql',
    fetch: fetchFrom(app),
    headers: { authorization: `Bearer ${token}` },
  });
  return new ApolloClient({
    link: ApolloLink.from([...links, http]),
    cache: new InMemoryCache({
      possibleTypes: { Node: ['Map', 'Location'] },
      typePolicies: {
        Map: { fields: { locations: relayStylePagination() } },
        Viewer: { fields: { maps: relayStylePagination() } },
      },
    }),
  });
}
