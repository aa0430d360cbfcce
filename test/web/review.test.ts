/** The review of points in the console: its queue, keys and distances. */

import { formatDistance } from '../../web/console/common/distance.ts';
import type { KeyTarget, PressedKey } from '../../web/console/review/review-keys.ts';
import { commandOf, REVIEW_KEYS } from '../../web/console/review/review-keys.ts';
import type { ReviewQueue } from '../../web/console/review/review-queue.ts';
import {
  afterReview,
  currentRow,
  isLoadDue,
  movedBy,
  positionOf,
  queueOf,
  restored,
  withoutCurrent,
  withPage,
  withRow,
} from '../../web/console/review/review-queue.ts';

interface Row {
  readonly id: string;
  readonly version?: number;
}

const rowsOf = (ids: string): Row[] => [...ids].map((id) => ({ id }));
/** The current row, its number and the number of all rows. */
const shown = (queue: ReviewQueue<Row>) => {
  const { number, total } = positionOf(queue);
  return `${currentRow(queue)?.id ?? 'none'} ${number}/${total}`;
};

describe('the queue of rows to review', () => {
  it('goes on to the next row after each review, and counts reviewed rows', () => {
    let queue = queueOf(rowsOf('abc'), 3);
    const seen = [shown(queue)];
    for (let row = 0; row < 3; row += 1) {
      queue = afterReview(queue);
      seen.push(shown(queue));
    }
    expect(seen).toEqual(['a 1/3', 'b 2/3', 'c 3/3', 'none 4/3']);
    expect(queue).toMatchObject({ left: 0, reviewed: 3 });
  });

  it('keeps skipped rows, and comes back to them after the last row', () => {
    const skipped = movedBy(queueOf(rowsOf('abc'), 3), 1);
    expect(shown(skipped)).toBe('b 2/3');
    const atEnd = afterReview(skipped);
    expect(shown(atEnd)).toBe('c 3/3');
    const back = afterReview(atEnd);
    expect(shown(back)).toBe('a 3/3');
    expect(shown(afterReview(back))).toBe('none 4/3');
  });

  it('stays at the ends', () => {
    const queue = queueOf(rowsOf('ab'), 2);
    expect(shown(movedBy(queue, -1))).toBe('a 1/2');
    expect(shown(movedBy(movedBy(queue, 1), 1))).toBe('b 2/2');
    expect(shown(movedBy(queueOf<Row>([], 0), 1))).toBe('none 1/0');
  });

  it('loads ahead of its end, and waits for rows that are not loaded yet', () => {
    const queue = queueOf(rowsOf('abcdefghijklmnopqrstuvwxyz'), 30);
    expect(isLoadDue(queue)).toBe(false);
    expect(isLoadDue(movedBy(queue, 6))).toBe(true);
    const last = movedBy(queue, 25);
    const waiting = afterReview(last);
    // Not a row that was skipped: others follow.
    expect(shown(waiting)).toBe('none 27/30');
    expect(shown(withPage(waiting, rowsOf('1234'), true))).toBe('1 27/30');
  });

  it('takes each row of a page once, and its total from the last page', () => {
    const queue = withPage(queueOf(rowsOf('ab'), 9), rowsOf('bc'), false);
    expect(queue.rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(shown(queue)).toBe('a 1/9');
    // Meanwhile, someone else has reviewed the others.
    expect(shown(withPage(queue, rowsOf('d'), true))).toBe('a 1/4');
    // Or has imported more than were counted.
    expect(shown(withPage(queueOf(rowsOf('a'), 1), rowsOf('bc'), false))).toBe('a 1/3');
  });

  it('drops a row that no longer exists, without counting it as reviewed', () => {
    expect(shown(withoutCurrent(queueOf(rowsOf('abc'), 3)))).toBe('b 1/2');
  });

  it('restores a reviewed row where it was, and a row that stayed in place', () => {
    const queue = queueOf(rowsOf('abc'), 3);
    const undone = restored(afterReview(movedBy(queue, 1)), { id: 'b', version: 3 }, 1);
    expect(shown(undone)).toBe('b 2/3');
    expect(undone.rows).toEqual([{ id: 'a' }, { id: 'b', version: 3 }, { id: 'c' }]);
    expect(undone).toMatchObject({ left: 3, reviewed: 0 });
    const inPlace = restored(movedBy(queue, 2), { id: 'a', version: 2 }, 0);
    expect(shown(inPlace)).toBe('a 1/3');
    expect(inPlace.rows[0]).toEqual({ id: 'a', version: 2 });
  });

  it('replaces a changed row', () => {
    expect(withRow(queueOf(rowsOf('ab'), 2), { id: 'b', version: 2 }).rows).toEqual([
      { id: 'a' },
      { id: 'b', version: 2 },
    ]);
  });
});

describe('the keys of the review', () => {
  const press = (key: string, target: KeyTarget = 'other', more: Partial<PressedKey> = {}) =>
    commandOf(
      {
        key,
        code: '',
        shiftKey: false,
        ctrlKey: false,
        metaKey: false,
        altKey: false,
        repeat: false,
        ...more,
      },
      target,
    );

  it('have one meaning each', () => {
    const keys = Object.values(REVIEW_KEYS).flat();
    expect(new Set(keys).size).toBe(keys.length);
    for (const [action, all] of Object.entries(REVIEW_KEYS))
      expect(all.map((key) => press(key))).toEqual(all.map(() => action));
  });

  it('work with Caps Lock, and digits without Shift on a French keyboard', () => {
    expect(press('J')).toBe('next');
    expect(press('3')).toEqual({ candidate: 3 });
    expect(press('"', 'other', { code: 'Digit3' })).toEqual({ candidate: 3 });
    expect(press('#', 'other', { code: 'Digit3', shiftKey: true })).toBeNull();
    expect(press('6')).toBeNull();
  });

  it('are at the places of the Latin letters on other keyboards', () => {
    expect(press('ت', 'other', { code: 'KeyJ' })).toBe('next');
    expect(press('г', 'other', { code: 'KeyU' })).toBe('undo');
    expect(press('؟', 'other', { code: 'Slash', shiftKey: true })).toBe('keys');
    // On a Latin keyboard, the printed letter counts.
    expect(press('m', 'other', { code: 'Semicolon' })).toBe('focusMap');
    expect(press('q', 'other', { code: 'KeyM' })).toBeNull();
  });

  it('are left to the browser with a modifier, and to text inputs', () => {
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
      expect(press('c', 'other', { [modifier]: true })).toBeNull();
    for (const key of ['j', 'Enter', '1', 'Escape', 'ArrowDown']) expect(press(key, 'text')).toBeNull();
  });

  it('only move between rows while they are held', () => {
    const held = (key: string) => press(key, 'other', { repeat: true, code: `Digit${key}` });
    expect(['j', 'ArrowUp', 'Enter', 'y', 'u', '1'].map(held)).toEqual([
      'next',
      'previous',
      ...[null, null, null, null],
    ]);
  });

  it('leave Enter to a focused button, and the arrows to the map', () => {
    expect(press('Enter', 'button')).toBeNull();
    expect(press('y', 'button')).toBe('confirm');
    expect(press('ArrowDown', 'map')).toBeNull();
    expect(press('p', 'map')).toBe('placePin');
    expect(press('Enter', 'map')).toBe('confirm');
  });
});

describe('a distance', () => {
  it('has two digits, in metres or kilometres', () => {
    const texts = [3.4, 348, 999, 1_234, 7_912_345].map(formatDistance);
    expect(texts).toEqual(['3.4 m', '350 m', '1,000 m', '1.2 km', '7,900 km']);
  });
});
