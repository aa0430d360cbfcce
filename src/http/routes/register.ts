import type { FastifyInstance } from 'fastify';

/** Registers routes in a scope of their own, so that their hooks and error handler apply to them only. */
export async function register<Options>(
  app: FastifyInstance,
  routes: (scope: FastifyInstance, options: Options) => void,
  options: Options,
): Promise<void> {
  await app.register((scope, _options, done) => {
    routes(scope, options);
    done();
  });
}
