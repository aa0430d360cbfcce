import { MAX_MAP_LINKS } from '../../domain/map-link.ts';
import { consoleLink, mapPageLink } from '../../domain/secret-links.ts';
import type { Scope } from '../../services/scope.ts';
import type { MapLinkWithSecret } from '../../services/sharing/map-link-service.ts';
import type { Resolvers } from '../generated/schema.ts';

export const mapLinkResolvers = {
  Mutation: {
    createMapLink: async (_parent, { input }, { scope, services }) =>
      withAddresses(scope, input.mapId, await services.mapLinks.createMapLink(scope, input)),

    replaceMapLink: async (_parent, { input: { mapId, id } }, { scope, services }) =>
      withAddresses(scope, mapId, await services.mapLinks.replaceMapLink(scope, mapId, id)),

    revokeMapLink: async (_parent, { input: { mapId, id } }, { scope, services }) => {
      await services.mapLinks.revokeMapLink(scope, mapId, id);
      return { revokedId: id };
    },
  },

  Map: {
    links: (map, _args, { scope, services, budget }) => {
      budget.reserveRows(MAX_MAP_LINKS);
      return budget.read(
        async () => [...(await services.mapLinks.listMapLinks(scope, map))],
        (links) => links.reduce((bytes, { name }) => bytes + name.length, 0),
      );
    },
  },
} satisfies Resolvers;

function withAddresses({ baseUrl = '' }: Scope, mapId: string, { mapLink, secret }: MapLinkWithSecret) {
  return {
    mapLink,
    secret,
    consoleLink: consoleLink(baseUrl, 'map-link', secret),
    // The page only shows the map: its address must not carry a secret that may edit.
    pageLink: mapLink.scope === 'view' ? mapPageLink(baseUrl, mapId, secret) : null,
  };
}
