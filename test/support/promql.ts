/** The metrics and labels of a PromQL expression, as far as dashboards and alerts need. */

export interface Named {
  /** Metrics, each with the labels in its selector. */
  readonly metrics: readonly { readonly name: string; readonly labels: readonly string[] }[];
  /** Labels that results are grouped or joined by. */
  readonly grouping: readonly string[];
}

/** Words of the language in the position of a metric. */
const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

export function namedIn(expression: string): Named {
  const grouping: string[] = [];
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    // Ranges and steps: [5m], [$__rate_interval].
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, list: string) => {
      grouping.push(
        ...list
          .split(',')
          .map((label) => label.trim())
          .filter(Boolean),
      );
      return ' ';
    });
  const metrics = [...bare.matchAll(/([A-Za-z_:][A-Za-z0-9_:]*)\s*(\{[^}]*\}|\()?/g)]
    .filter(([, word = '', next]) => next !== '(' && !OPERATORS.has(word.toLowerCase()))
    .map(([, name = '', selector = '']) => ({
      name,
      labels: [...selector.matchAll(/([A-Za-z_][A-Za-z0-9_]*)\s*(?:=~|!~|!=|=)/g)].map(
        ([, label = '']) => label,
      ),
    }));
  return { metrics, grouping };
}
