import { fastify } from 'fastify';

import type { ErrorCode } from '../../src/errors.ts';
import { ERRORS, ServiceError } from '../../src/errors.ts';
import { classifyError, sendV0Error } from '../../src/http/errors.ts';

describe('/v0 error responses', () => {
  it('have the status and number of each code, or the configured single status', async () => {
    for (const status of [null, 400]) {
      const app = fastify();
      app.setErrorHandler((error, request, reply) => sendV0Error(error, request, reply, status));
      app.get<{ Params: { code: ErrorCode } }>('/:code', ({ params }) => {
        throw new ServiceError(params.code, 'Sent to the client.');
      });
      for (const [code, definition] of Object.entries(ERRORS)) {
        const response = await app.inject(`/${code}`);
        expect(response.statusCode).toBe(status ?? definition.status);
        expect(response.body).toBe(`{"error":${definition.error},"message":"Sent to the client."}`);
      }
      await app.close();
    }
  });

  it('drop the headers of a response that fails while it is sent', async () => {
    const app = fastify();
    app.decorateRequest('scope', null);
    app.setErrorHandler((error, request, reply) => sendV0Error(error, request, reply, null));
    // No header value can hold this character.
    app.get('/', (_request, reply) =>
      reply.header('link', '<https://例え.jp>').header('etag', '"x"').send('[]'),
    );
    const response = await app.inject('/');
    expect([response.statusCode, response.body]).toEqual([
      500,
      '{"error":500,"message":"Internal server error (request req-1)."}',
    ]);
    expect([response.headers.link, response.headers.etag]).toEqual([undefined, undefined]);
    await app.close();
  });

  it('are internal errors for anything unknown that is thrown', () => {
    for (const thrown of [
      undefined,
      null,
      0,
      'text',
      Symbol('x'),
      {},
      Object.create(null),
      { code: Object.create(null) as object },
      { code: 'constructor' },
      { code: '__proto__' },
      { code: 'ECONNRESET' },
      Object.assign(new Error('inside'), { code: 'ECONNRESET' }),
      Object.assign(new Error('inside'), { statusCode: 404, expose: true }),
      new Proxy({}, {}),
    ]) {
      const { error, isUnexpected } = classifyError(thrown, 'r1');
      expect([error.code, error.message, isUnexpected]).toEqual([
        'INTERNAL_SERVER_ERROR',
        'Internal server error (request r1).',
        true,
      ]);
    }
  });
});
