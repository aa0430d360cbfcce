/** Finds texts in the sources of the pages that should be in a catalogue. */

import { parse } from 'svelte/compiler';
import ts from 'typescript';

/** Attributes that readers see or hear. */
const ATTRIBUTES = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'label',
  'placeholder',
  'title',
];
/** Names that are the same in each language. */
const NAMES =
  /\b(?:OpenStreetMap|Google Maps|Natural Earth|GeoNames|Map Locations|GraphQL|CSV|XLSX|JSON|UTF-8|HMAC|SHA-256|Authorization: Bearer TOKEN|Bearer|Escape|Enter|https?)\b/g;

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface Script {
  readonly content: { readonly start: number; readonly end: number };
}

/** The texts of a component: of its elements, their attributes, and its scripts. */
export function textsOfComponent(source: string): string[] {
  const { fragment, instance, module } = parse(source, { modern: true }) as unknown as {
    fragment: Node;
    instance?: Script | null;
    module?: Script | null;
  };
  const scripts = [instance, module].map((script) =>
    script ? source.slice(script.content.start, script.content.end) : '',
  );
  return [...textsOfMarkup(fragment), ...scripts.flatMap(textsOfScript)];
}

function textsOfMarkup(node: Node): string[] {
  if (node.type === 'Text') return wordsOf(String(node['data']));
  if (node.type === 'ExpressionTag') return textsOfExpression(node['expression'] as Node);
  if (node.type === 'Attribute') {
    if (!ATTRIBUTES.includes(String(node['name']))) return [];
    const { value } = node;
    return (Array.isArray(value) ? value : [value]).filter(isNode).flatMap(textsOfMarkup);
  }
  // Commands.
  if (node.type === 'RegularElement' && node['name'] === 'code') return [];
  if (/Directive$|^(?:RenderTag|ConstTag|Comment)$/.test(node.type)) return [];
  return childrenOf(node, ['expression', 'test', 'key', 'context']).flatMap(textsOfMarkup);
}

function textsOfExpression(node: Node): string[] {
  // A comparison, or the arguments of a function such as `t`.
  if (node.type === 'BinaryExpression' && node['operator'] !== '+') return [];
  if (node.type === 'CallExpression' || node.type === 'MemberExpression') return [];
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? wordsOf(node['value']) : [];
  if (node.type === 'TemplateElement') return wordsOf((node['value'] as { raw: string }).raw);
  return childrenOf(node, node.type === 'ConditionalExpression' ? ['test'] : []).flatMap(textsOfExpression);
}

function childrenOf(node: Node, except: readonly string[]): Node[] {
  return Object.entries(node)
    .filter(([name]) => !except.includes(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The text if it has a word. */
function wordsOf(text: string): string[] {
  return /\p{L}{2}/u.test(text.replaceAll(NAMES, '')) ? [text.trim()] : [];
}

/** Of a script, texts that look like a sentence. Errors for developers, which no reader sees, are left out. */
export function textsOfScript(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && /(?:Error|Mismatch)$/.test(node.expression.getText())) return;
    if (ts.isCallExpression(node) && node.expression.getText() === 't') return;
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (isSentence(node.text)) texts.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('script.ts', source, ts.ScriptTarget.Latest, true));
  return texts;
}

function isSentence(text: string): boolean {
  const words = text.replaceAll(NAMES, '').trim();
  const isStyleSheet = words.startsWith('@media');
  return (
    !isStyleSheet &&
    /^\p{Lu}\p{Ll}+[ …’:.]|\p{L}{2,} \p{Ll}{2,} \p{Ll}|\p{Ll}…$| .*\p{Ll}\.$|^\p{Lu}\p{Ll}{2,}$/u.test(words)
  );
}
