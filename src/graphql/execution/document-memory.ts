/**
 * Estimates the memory of a parsed document. Its JSON underestimates it: most memory is in the objects its nodes
 * refer to.
 */

import type { ASTNode, DocumentNode, Location, Token } from 'graphql';
import { visit } from 'graphql';

/**
 * Upper bounds, compared with the heap for documents of many shapes by
 * test/graphql/execution/operation-store.test.ts.
 */
const NODE_BYTES = 320;
const CHARACTER_BYTES = 2;
const FIXED_BYTES = 2_000;

/**
 * Drops the lexical tokens, which take ten times the memory of the nodes. Each node keeps the line and column of its
 * first token, for error locations.
 *
 * @param document parsed with locations; modified
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

/** An estimate, never below the real size. */
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
