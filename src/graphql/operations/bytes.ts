/** What a document really holds in memory. Weighing its JSON would leave out what its nodes refer to. */

import type { ASTNode, DocumentNode, Location, Token } from 'graphql';
import { visit } from 'graphql';

/** Measured by test/graphql/operations/bytes.test.ts on documents of many shapes, and rounded up. */
const NODE_BYTES = 320;
const CHARACTER_BYTES = 2;
const FIXED_BYTES = 2_000;

/**
 * Lets go of the lexical tokens, comments among them, which cost ten times what the nodes do. Of the token that a node
 * begins with the place stays: errors name it.
 *
 * @param document parsed with its locations; changed
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

/** About; never less than it is. */
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
