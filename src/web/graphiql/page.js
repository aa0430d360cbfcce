/**
 * Starts GraphiQL. A classic browser script, not compiled. What it needs to know of the server is in the page's
 * #graphiql-config.
 *
 * The token is kept in memory only. GraphiQL itself does not store headers, but its history does. So the storage that
 * it is given leaves headers out. A token that is typed in one tab is offered in the others.
 */
/* global GraphiQL, React, ReactDOM */
(() => {
  'use strict';

  const config = JSON.parse(document.getElementById('graphiql-config').textContent);
  const notice = document.getElementById('notice');
  // Hidden until now, because without JavaScript nothing is loading.
  notice.hidden = false;

  const emptyHeaders = '{\n  "Authorization": "Bearer "\n}';

  // GraphiQL makes one style element (it stops scrolling under a dialog), and reads its nonce from this name.
  window.__webpack_nonce__ = config.styleNonce;

  window.addEventListener('DOMContentLoaded', () => {
    if (!window.React || !window.ReactDOM || !window.GraphiQL) {
      notice.textContent =
        'GraphiQL could not be loaded. Reload the page; if that does not help, see the server’s log.';
      return;
    }
    const element = React.createElement(GraphiQL, {
      fetcher,
      storage: createStorage('map-locations.'),
      defaultTabs: config.examples.map(({ query, variables }) => ({
        query,
        variables: variables && JSON.stringify(variables, null, 2),
        headers: emptyHeaders,
      })),
      defaultHeaders: emptyHeaders,
      isHeadersEditorEnabled: true,
      shouldPersistHeaders: false,
      defaultEditorToolsVisibility: 'headers',
      toolbar: { additionalComponent: EditorHabits },
    });
    ReactDOM.createRoot(document.getElementById('graphiql')).render(element);
  });

  async function fetcher(parameters, options) {
    const headers = new Headers(options?.headers);
    // The header still has its first form, without a token. Sent like this, it would be refused as a wrong token.
    if (/^Bearer\s*$/i.test(headers.get('authorization') ?? '')) headers.delete('authorization');
    headers.set('accept', 'application/graphql-response+json, application/json;q=0.9');
    headers.set('content-type', 'application/json');
    const { query, variables, operationName } = parameters;
    // Just after a change of tabs, GraphiQL still gives the operation name of the tab before.
    const isThere = new RegExp(`^\\s*(query|mutation|subscription)\\s+${operationName}\\b`, 'm').test(query);
    const body = JSON.stringify({ query, variables, operationName: isThere ? operationName : undefined });
    const response = await fetch(config.endpoint, { method: 'POST', headers, body });
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      const message = `The server answered ${response.status} ${response.statusText}, and not with JSON.`;
      return { errors: [{ message, extensions: { body: text.slice(0, 2000) } }] };
    }
  }

  /** localStorage with our own prefix, since the origin may serve other programs, and without headers. */
  function createStorage(prefix) {
    const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return {
      get length() {
        return keys().length;
      },
      getItem: (key) => localStorage.getItem(prefix + key),
      setItem: (key, value) => localStorage.setItem(prefix + key, withoutHeaders(value)),
      removeItem: (key) => localStorage.removeItem(prefix + key),
      clear: () => keys().forEach((key) => localStorage.removeItem(key)),
    };
  }

  function withoutHeaders(value) {
    if (!value.includes('headers')) return value;
    try {
      return JSON.stringify(JSON.parse(value), (key, member) => (key === 'headers' ? null : member));
    } catch {
      // A query or variables that contain the word.
      return value;
    }
  }

  /** Renders nothing. It exists to reach the editors. */
  function EditorHabits() {
    const { queryEditor, headerEditor } = GraphiQL.React.useEditorContext({ nonNull: true });
    React.useEffect(() => {
      // Comments and tokens are long, and should be readable to their end.
      for (const editor of [queryEditor, headerEditor]) editor?.setOption('lineWrapping', true);
    }, [queryEditor, headerEditor]);
    React.useEffect(() => (headerEditor ? keepTyped(headerEditor) : undefined), [headerEditor]);
    return null;
  }

  /** When GraphiQL empties the header editor (for another tab, or the history), restores what was last typed. */
  function keepTyped(headerEditor) {
    let typed = '';
    const keep = (editor, change) => {
      const text = editor.getValue();
      if (change.origin !== 'setValue') typed = text;
      else if (isUnfilled(text) && !isUnfilled(typed)) editor.setValue(typed);
    };
    headerEditor.on('change', keep);
    return () => headerEditor.off('change', keep);
  }

  function isUnfilled(headers) {
    return headers.trim() === '' || headers.trim() === emptyHeaders;
  }
})();
