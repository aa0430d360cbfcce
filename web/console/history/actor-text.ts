/** Who made a change, in words. */

import { isolated } from '../../shared/text.ts';
import type { ByFragment } from '../generated/operations.ts';

const LINK_PREFIX = 'link:';

/** Continues `by`. */
export function actorText({ kind, name }: Pick<ByFragment, 'kind' | 'name'>): string {
  switch (kind) {
    case 'operator':
      return 'the command line';
    case 'link': {
      // A link sees the others without their names.
      if (!name.startsWith(LINK_PREFIX)) return name;
      const link = name.slice(LINK_PREFIX.length);
      return link === '' ? 'a former link' : `the link ${isolated(link)}`;
    }
    case 'token':
      return name === '' ? 'a former token' : isolated(name);
    case 'account':
      return name === '' ? 'a former account' : isolated(name);
  }
}

/** Tells apart those who are called the same. */
export function actorTitle({ name, owner }: ByFragment): string | undefined {
  return owner === null || owner === name ? undefined : owner;
}
