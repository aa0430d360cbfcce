/** Reads one map: with the rights of a member, or a published one in the public view. */

import { ServiceError } from '../errors.ts';
import type { McpSession } from './tool.ts';
import { execute, operationOf, withContext } from './tool.ts';

type MapReader<Selected> = (
  session: McpSession,
  mapId: string,
  values?: Readonly<Record<string, unknown>>,
) => Promise<Selected>;

/**
 * @param name of the tool
 * @param selection on Map
 * @param variables definitions besides `$mapId`
 * @returns a reader that throws what the resolvers throw, such as MAP_NOT_FOUND
 */
export function mapReader<Selected>(name: string, selection: string, variables = ''): MapReader<Selected> {
  const document = (field: string) =>
    operationOf(`query ${name}($mapId: ID! ${variables}) { map: ${field}(id: $mapId) { ${selection} } }`);
  const ofMember = document('map');
  const ofPublic = document('publicMap');
  return (session, mapId, values = {}) => {
    const read = (operation: typeof ofMember) =>
      withContext(session, async (context) => {
        const { map } = await execute<{ map: Selected }>(session, context, operation, { ...values, mapId });
        return map;
      });
    if (session.caller === null) return read(ofPublic);
    return read(ofMember).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'MAP_NOT_FOUND') return read(ofPublic);
      throw error;
    });
  };
}
