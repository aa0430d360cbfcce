/** The operation store: weighs operations by their real memory, and stays within its limit. */

import { parse } from 'graphql';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { bytesOfDocument, dropTokens } from '../../../src/graphql/execution/document-memory.ts';
import { OperationStore } from '../../../src/graphql/execution/operation-store.ts';

/** Exists only with --expose-gc. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

const SHAPES: Readonly<Record<string, (index: number) => string>> = {
  comments: (index) => `{ a${index}: __typename }${'#\n'.repeat(60_000)}`,
  blanks: (index) => `{ b${index}: __typename }${' '.repeat(120_000)}`,
  letters: (index) => `{ c${index}: __typename }${'#é漢\n'.repeat(20_000)}`,
  fields: (index) => `{ viewer { ${`owner${index} `.repeat(1_000)} } }`,
  calls: (index) =>
    `{ ${Array.from({ length: 500 }, (_, at) => `node(id: "${index}-${at}") { id }`).join(' ')} }`,
  arguments: (index) =>
    `{ ${'a(b: [1, 2, 3, { c: 1, d: $e }]) @include(if: true) { f } '.repeat(300)} g${index} }`,
  variables: (index) =>
    `query (${Array.from({ length: 300 }, (_, at) => `$v${at}: [ID!]! = ["a"]`).join(' ')}) { h${index} }`,
};

describe('the estimated memory of a document', () => {
  const collect = collector();

  for (const [name, textOf] of Object.entries(SHAPES)) {
    it(`is its real memory, or a little more: ${name}`, () => {
      const count = 30;
      let weight = 0;
      collect();
      const before = process.memoryUsage().heapUsed;
      const kept = Array.from({ length: count }, (_, index) => {
        const document = parse(textOf(index));
        dropTokens(document);
        weight += bytesOfDocument(document);
        return document;
      });
      collect();
      const held = process.memoryUsage().heapUsed - before;
      expect(kept).toHaveLength(count);
      expect(weight).toBeGreaterThan(held * 0.95);
      expect(weight).toBeLessThan(held * 3);
    });
  }

  it('keeps source locations for errors', () => {
    const document = parse('{\n  field\n}');
    dropTokens(document);
    const [definition] = document.definitions;
    expect(definition).toMatchObject({
      selectionSet: {
        selections: [{ loc: { start: 4, startToken: { line: 2, column: 3 }, endToken: null } }],
      },
    });
  });
});

describe('stored operations', () => {
  const add = (store: OperationStore, text: string) => store.add(parse(text), `hash of ${text}`);
  const textOf = (index: number) => `{ field${index} }`;

  it('are found by their text and by their hash', () => {
    const store = new OperationStore(100_000);
    const operation = add(store, textOf(1));
    expect(store.find(textOf(1))).toBe(operation);
    expect(store.findByHash(`hash of ${textOf(1)}`)).toBe(operation);
    expect([store.find(textOf(2)), store.findByHash('another')]).toEqual([undefined, undefined]);
  });

  it('stay within the limit, and the latest ones are kept', () => {
    const store = new OperationStore(100_000);
    for (let index = 0; index < 500; index += 1) {
      add(store, textOf(index));
      expect(store.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(store.find(textOf(499))).toBeDefined();
    expect([store.find(textOf(0)), store.findByHash(`hash of ${textOf(0)}`)]).toEqual([undefined, undefined]);
  });

  it('weigh their grown memory, and evict others for it', () => {
    const store = new OperationStore(100_000);
    for (let index = 0; index < 20; index += 1) add(store, textOf(index));
    const before = store.bytes;
    store.find(textOf(5))?.grow(4_000);
    expect(store.bytes).toBe(before + 4_000);
    store.find(textOf(6))?.grow(5_000);
    for (let index = 7; index < 20; index += 1) store.find(textOf(index))?.grow(5_000);
    expect(store.bytes).toBeLessThanOrEqual(100_000);
  });

  it('do not return by growing after eviction', () => {
    const store = new OperationStore(100_000);
    const operation = add(store, textOf(0));
    for (let index = 1; index < 500; index += 1) add(store, textOf(index));
    operation.grow(1);
    expect(store.find(textOf(0))).toBeUndefined();
  });

  it('exclude one that takes more than an eighth of the limit', () => {
    const store = new OperationStore(100_000);
    add(store, textOf(0));
    const large = `{ ${'field '.repeat(100)} }`;
    expect(add(store, large).document.kind).toBe('Document');
    expect([store.find(large), store.findByHash(`hash of ${large}`)]).toEqual([undefined, undefined]);
    expect(store.find(textOf(0))).toBeDefined();
  });
});
