/** Each map's members: they exist, and the map's owner is one of them. */

import { memberRole } from '../../../domain/members.ts';
import type { Finding } from '../../examination.ts';
import { RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Database } from '../database.ts';
import { documentsOf } from '../database.ts';
import { toMember } from '../maps.ts';
import type { MapDocument } from '../schema.ts';

export async function* examineMembers(database: Database): AsyncGenerator<Finding> {
  const ownerless = new Wrongs();
  const maps = database.collections.maps
    .find()
    .project<Pick<MapDocument, '_id' | 'ownerId' | 'members'>>({ ownerId: 1, members: 1 });
  for await (const { _id, ownerId, members } of documentsOf(database, maps)) {
    if (memberRole(members.map(toMember), ownerId) !== 'owner') ownerless.add(_id);
  }
  yield* ownerless.report('map', {
    check: 'integrity',
    remedy: RESTORE_LAST,
    message: (some) => `Maps have an owner who is not among their members: ${some}.`,
  });
}
