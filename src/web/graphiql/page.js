/**
 * Starts GraphiQL. A classic browser script, not compiled. Its configuration is in #graphiql-config.
 *
 * The token is kept in memory and, if the user asks for it, in sessionStorage. GraphiQL's history would store headers, so
 * its storage omits them.
 */
(() => {
  'use strict';

  const config = JSON.parse(document.getElementById('graphiql-config').textContent);
  const notice = document.getElementById('notice');
  // Hidden by default, because nothing loads without JavaScript.
  notice.hidden = false;

  const access = document.getElementById('access');
  const tokenField = document.getElementById('token');
  const keepField = document.getElementById('keep-token');
  const accessState = document.getElementById('access-state');
  const TOKEN_KEY = 'map-locations.graphiql-token';

  // GraphiQL reads the nonce of its style element (which disables scrolling under a dialog) from this variable.
  window.__webpack_nonce__ = config.styleNonce;

  window.addEventListener('DOMContentLoaded', () => {
    if (!window.React || !window.ReactDOM || !window.GraphiQL) {
      notice.textContent =
        'GraphiQL could not be loaded. Reload the page. If that does not help, check the server’s log.';
      return;
    }
    initAccess();
    const element = React.createElement(GraphiQL, {
      fetcher,
      storage: createStorage('map-locations.'),
      defaultTabs: config.examples.map(({ query, variables }) => ({
        query,
        variables: variables && JSON.stringify(variables, null, 2),
      })),
      isHeadersEditorEnabled: true,
      shouldPersistHeaders: false,
      // Leaves room for the query on a phone.
      defaultEditorToolsVisibility: matchMedia('(max-width: 700px)').matches ? false : 'variables',
      toolbar: { additionalComponent: EditorSettings },
    });
    ReactDOM.createRoot(document.getElementById('graphiql')).render(element);
  });

  async function fetcher(parameters, options) {
    const { query, variables, operationName } = parameters;
    // Just after switching tabs, GraphiQL still passes the operation name of the previous tab.
    const hasOperation = new RegExp(`^\\s*(query|mutation|subscription)\\s+${operationName}\\b`, 'm').test(
      query,
    );
    const headers = new Headers(options?.headers);
    // The Headers editor takes precedence.
    if (token() !== '' && !headers.has('authorization')) headers.set('authorization', `Bearer ${token()}`);
    // The server uses event streams only for subscriptions.
    headers.set(
      'accept',
      'application/graphql-response+json, application/json;q=0.9, text/event-stream;q=0.8',
    );
    headers.set('content-type', 'application/json');
    const body = JSON.stringify({
      query,
      variables,
      operationName: hasOperation ? operationName : undefined,
    });
    const abort = new AbortController();
    const response = await fetch(config.endpoint, { method: 'POST', headers, body, signal: abort.signal });
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      return resultsOf(response, abort);
    }
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      const message = `The server responded with ${response.status} ${response.statusText}, not with JSON.`;
      return { errors: [{ message, extensions: { body: text.slice(0, 2000) } }] };
    }
  }

  /** The results of a subscription as an observable, until the user presses “Stop”. */
  function resultsOf(response, abort) {
    return {
      subscribe(observer) {
        readEvents(response, observer.next).then(observer.complete, (error) => {
          if (!abort.signal.aborted) observer.error(error);
        });
        return { unsubscribe: () => abort.abort() };
      },
    };
  }

  async function readEvents(response, next) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + value).split('\n\n');
      rest = events.pop();
      for (const event of events) {
        const [, text] = /^event: next\ndata: ([^\n]*)$/.exec(event) ?? [];
        if (text !== undefined) next(JSON.parse(text));
      }
    }
  }

  /** localStorage without headers, and with a prefix, because other programs may share the origin. */
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
      // A query or variables that contain the word “headers”.
      return value;
    }
  }

  function token() {
    return tokenField.value.trim().replace(/^Bearer\s+/i, '');
  }

  function initAccess() {
    const stored = sessionStorage.getItem(TOKEN_KEY);
    tokenField.value = stored ?? '';
    keepField.checked = stored !== null;
    access.hidden = false;
    const store = () => {
      if (keepField.checked && token() !== '') sessionStorage.setItem(TOKEN_KEY, token());
      else sessionStorage.removeItem(TOKEN_KEY);
    };
    let timer;
    tokenField.addEventListener('input', () => {
      store();
      clearTimeout(timer);
      timer = setTimeout(lookUp, 200);
    });
    keepField.addEventListener('change', store);
    if (token() !== '') void lookUp();
  }

  /** Ids in the examples, and those of previous tokens. */
  let ids = null;
  const previousIds = [];
  let onIds = () => {};

  /** Shows the owner of the token, and puts ids of a map and a location into the examples. */
  async function lookUp() {
    const requested = token();
    accessState.textContent = '';
    if (requested === '' || !config.hasViewer) return;
    const query = `{ viewer { owner scope maps(first: 1, filter: { isDeleted: false }) {
      nodes { id name locations(first: 1) { nodes { id } } } } } }`;
    const response = await fetcher({ query }).catch(() => null);
    // The token has changed in the meantime.
    if (requested !== token()) return;
    const viewer = response?.data?.viewer;
    if (!viewer) {
      accessState.textContent = response?.errors?.[0]?.message ?? 'The server cannot be reached.';
      return;
    }
    const [map] = viewer.maps?.nodes ?? [];
    const access = viewer.scope === 'write' ? 'read and write' : 'read only';
    const example = map ? `. The examples use the map ${map.name}.` : '';
    accessState.textContent = `${viewer.owner}: ${access}${example}`;
    if (!map) return;
    if (ids) previousIds.push(ids);
    ids = { map: map.id, location: map.locations?.nodes[0]?.id ?? null };
    onIds();
  }

  /** Puts existing ids into the variables of an example, except the id to delete. */
  function withIds(variables) {
    if (!ids) return variables;
    let text = variables.replace(/("mapId":\s*)"put-an-id-here"/g, `$1"${ids.map}"`);
    if (ids.location) {
      text = text.replace(/("(?:id|locationId)":\s*)"put-an-id-here"/g, `$1"${ids.location}"`);
    }
    for (const { map, location } of previousIds) {
      if (location && ids.location) text = text.replaceAll(`"${location}"`, `"${ids.location}"`);
      text = text.replaceAll(`"${map}"`, `"${ids.map}"`);
    }
    return text;
  }

  /** Renders nothing. A component can access the editors. */
  function EditorSettings() {
    const { queryEditor, headerEditor, variableEditor, responseEditor } = GraphiQL.React.useEditorContext({
      nonNull: true,
    });
    React.useEffect(() => {
      const names = {
        Query: queryEditor,
        Variables: variableEditor,
        Headers: headerEditor,
        Response: responseEditor,
      };
      for (const [name, editor] of Object.entries(names))
        editor?.getInputField().setAttribute('aria-label', name);
    }, [queryEditor, headerEditor, variableEditor, responseEditor]);
    React.useEffect(() => {
      // Shows long comments and tokens in full.
      for (const editor of [queryEditor, headerEditor]) editor?.setOption('lineWrapping', true);
    }, [queryEditor, headerEditor]);
    React.useEffect(() => (variableEditor ? keepFilled(variableEditor) : undefined), [variableEditor]);
    return null;
  }

  /** Fills in ids whenever the variables of another tab are loaded into the editor. */
  function keepFilled(editor) {
    const fill = () => {
      const text = editor.getValue();
      const filled = withIds(text);
      if (filled !== text) editor.setValue(filled);
    };
    const onChange = (_editor, change) => {
      // GraphiQL also emits events without a change.
      if (change === undefined || change.origin === 'setValue') fill();
    };
    onIds = fill;
    fill();
    editor.on('change', onChange);
    return () => editor.off('change', onChange);
  }
})();
