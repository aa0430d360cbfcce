/** The schema of a page of /v0, for Fastify's compiled serializer. */

const text = { type: 'string' } as const;

export const PAGE_SCHEMA = {
  200: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: text,
        id: text,
        placeId: text,
        latLngLiteral: { type: 'object', properties: { lat: text, lng: text } },
        properties: { type: 'object', additionalProperties: true },
      },
    },
  },
} as const;
