/** Each map's members, and the list of each member's maps. */

import type { MapMember } from '../../../domain/members.ts';
import { memberRole } from '../../../domain/members.ts';
import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Reader } from '../engine/statements.ts';
import { numberOf, textOf } from '../engine/statements.ts';
import { toMap } from '../maps.ts';

export function* examineMembers(reader: Reader): Generator<Finding> {
  const unreadable = new Wrongs();
  const ownerless = new Wrongs();
  const unlisted = new Wrongs();
  let count = 0;
  for (const row of reader.iterate('SELECT * FROM maps')) {
    const id = textOf(row, 'id');
    let members: readonly MapMember[];
    try {
      ({ members } = toMap(row));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      unreadable.add(id);
      continue;
    }
    if (memberRole(members, textOf(row, 'owner_id')) !== 'owner') ownerless.add(id);
    count += members.length;
    const isListed = ({ ownerId }: MapMember) =>
      reader.get(
        'SELECT 1 FROM map_members WHERE owner_id = ? AND created_at = ? AND map_id = ?',
        ...[ownerId, numberOf(row, 'created_at'), id],
      ) !== undefined;
    if (!members.every(isListed)) unlisted.add(id);
  }
  const unread = unreadable.describe('map');
  if (unread !== null) {
    yield {
      check: 'integrity',
      message: `The members of ${unread} are not valid JSON.`,
      remedy: RESTORE_LAST,
    };
    return;
  }
  const listed = reader.get(
    'SELECT COUNT(*) AS count FROM map_members WHERE map_id IN (SELECT id FROM maps)',
  );
  yield* describe(ownerless, unlisted, numberOf(listed ?? {}, 'count') - count);
}

function* describe(ownerless: Wrongs, unlisted: Wrongs, surplus: number): Generator<Finding> {
  yield* ownerless.report('map', {
    check: 'integrity',
    remedy: RESTORE_LAST,
    message: (some) => `Maps have an owner who is not among their members: ${some}.`,
  });
  const missing = unlisted.describe('map');
  if (missing !== null) {
    yield {
      check: 'indexes',
      message: `Maps are missing in the lists of their members: ${missing}.`,
      remedy: REBUILD,
    };
  } else if (surplus > 0) {
    yield {
      check: 'indexes',
      message: `The lists of members have maps that they are no members of (${surplus}).`,
      remedy: REBUILD,
    };
  }
}
