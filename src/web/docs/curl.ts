/** Renders an operation as a curl command, with the examples of its parameters. */

import type { OpenApiOperation } from '../../rest/openapi/openapi.ts';

/** @param url base URL of the server, without a trailing slash */
export function curlOf(url: string, method: string, path: string, operation: OpenApiOperation): string {
  const { parameters, requestBody } = operation;
  const body = Object.values(requestBody?.content['application/json'].examples ?? {})[0]?.value;
  const query = parameters
    .filter(({ in: where, name }) => where === 'query' && name === 'limit')
    .map(({ name, example }) => `${name}=${String(example)}`);
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((parameter) => parameter.name === name)?.example),
  );
  const lines = [
    `curl ${quote(`${url}${target}${query.length === 0 ? '' : `?${query.join('&')}`}`)}`,
    ...(method === 'delete' ? ['-X DELETE'] : []),
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `--data ${quote(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`,
        ]),
  ];
  return lines.join(' \\\n  ');
}

/** Quotes a word for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
