/** Who made a change, in words. */

import { isolated } from '../../shared/text.ts';
import { t } from '../common/messages.ts';
import type { ByFragment } from '../generated/operations.ts';

const LINK_PREFIX = 'link:';

type Actor = Pick<ByFragment, 'kind' | 'name'>;

/** To choose from a list. */
export function actorText({ kind, name }: Actor): string {
  if (kind === 'operator') return t('actor.operator');
  const link = kind === 'link' ? linkOf(name) : null;
  if (link === null) return name;
  return link === '' ? t('actor.formerLink') : t('actor.link', { name: isolated(link) });
}

/** Follows the time of the change. */
export function byText({ kind, name }: Actor): string {
  switch (kind) {
    case 'operator':
      return t('actor.by.operator');
    case 'link': {
      const link = linkOf(name);
      if (link === null) return t('actor.by.name', { name });
      return link === '' ? t('actor.by.formerLink') : t('actor.by.link', { name: isolated(link) });
    }
    case 'token':
      return name === '' ? t('actor.by.formerToken') : t('actor.by.name', { name: isolated(name) });
    case 'account':
      return name === '' ? t('actor.by.formerAccount') : t('actor.by.name', { name: isolated(name) });
  }
}

/** The name of a link; empty if it was deleted. Null if it is seen by a link, which sees the others without their names. */
function linkOf(name: string): string | null {
  return name.startsWith(LINK_PREFIX) ? name.slice(LINK_PREFIX.length) : null;
}

/** Tells apart those who are called the same. */
export function actorTitle({ name, owner }: ByFragment): string | undefined {
  return owner === null || owner === name ? undefined : owner;
}
