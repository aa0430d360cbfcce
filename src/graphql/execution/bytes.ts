/** How much memory a document really holds. Its JSON says little: most of the memory is in what its nodes refer to. */

import type { ASTNode, DocumentNode, Location, Token } from 'graphql';
import { visit } from 'graphql';

/** Compared with the heap by test/graphql/operations/store.test.ts on documents of many shapes, and rounded up. */
const NODE_BYTES = 320;
const CHARACTER_BYTES = 2;
const FIXED_BYTES = 2_000;

/**
 * Drops the lexical tokens, comments among them: they cost ten times as much as the nodes. Of a node's first token its
 * line and column stay, since errors give them.
 *
 * @param document parsed with its locations; it is changed
 */
export function dropTokens(document: DocumentNode): void {
  visit(document, {
    enter({ loc }: ASTNode) {
      if (loc === undefined) return;
      const { line, column } = loc.startToken;
      Object.assign<Location, Record<'startToken' | 'endToken', Pick<Token, 'line' | 'column'> | null>>(loc, {
        startToken: { line, column },
        endToken: null,
      });
    },
  });
}

/** An estimate, never less than the real size. */
export function bytesOfDocument(document: DocumentNode): number {
  let nodes = 0;
  visit(document, {
    enter() {
      nodes += 1;
    },
  });
  const characters = document.loc?.source.body.length ?? 0;
  return FIXED_BYTES + nodes * NODE_BYTES + characters * CHARACTER_BYTES;
}
