/** Directives of an nginx configuration. */

export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  /** Null if it ends with a semicolon. */
  readonly block: readonly Directive[] | null;
}

/** @throws Error for unbalanced braces or a missing semicolon */
export function readNginx(text: string): readonly Directive[] {
  const tokens = text.replaceAll(/^\s*#.*$/gm, '').match(/"[^"]*"|[{};]|[^\s{};"]+/g) ?? [];
  let next = 0;
  const readBlock = (isInner: boolean): readonly Directive[] => {
    const directives: Directive[] = [];
    for (let words: string[] = []; ;) {
      const token = tokens[next];
      next += 1;
      if (token === undefined || token === '}') {
        if (words.length > 0 || isInner !== (token === '}'))
          throw new Error(`unexpected end: ${words.join(' ')}`);
        return directives;
      }
      if (token !== ';' && token !== '{') {
        words.push(token);
        continue;
      }
      const [name = '', ...args] = words;
      if (name === '') throw new Error('a directive without a name');
      directives.push({ name, args, block: token === '{' ? readBlock(true) : null });
      words = [];
    }
  };
  return readBlock(false);
}

/** All directives of this name, at any depth. */
export function directivesOf(directives: readonly Directive[], name: string): readonly Directive[] {
  return directives.flatMap((directive) => [
    ...(directive.name === name ? [directive] : []),
    ...directivesOf(directive.block ?? [], name),
  ]);
}
