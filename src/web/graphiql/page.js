/**
 * Starts GraphiQL. A classic browser script, not compiled. What it needs to know of the server is in the page's
 * #graphiql-config.
 *
 * The token has a field of its own. It is kept in memory, and for the tab (sessionStorage) where that is wished. GraphiQL
 * itself does not store headers, but its history does. So the storage that it is given leaves headers out.
 */
(() => {
  'use strict';

  const config = JSON.parse(document.getElementById('graphiql-config').textContent);
  const notice = document.getElementById('notice');
  // Hidden until now, because without JavaScript nothing is loading.
  notice.hidden = false;

  const access = document.getElementById('access');
  const tokenField = document.getElementById('token');
  const keepField = document.getElementById('keep-token');
  const accessState = document.getElementById('access-state');
  const KEPT_TOKEN = 'map-locations.graphiql-token';

  // GraphiQL makes one style element (it stops scrolling under a dialog), and reads its nonce from this name.
  window.__webpack_nonce__ = config.styleNonce;

  window.addEventListener('DOMContentLoaded', () => {
    if (!window.React || !window.ReactDOM || !window.GraphiQL) {
      notice.textContent =
        'GraphiQL could not be loaded. Reload the page; if that does not help, see the server’s log.';
      return;
    }
    offerAccess();
    const element = React.createElement(GraphiQL, {
      fetcher,
      storage: createStorage('map-locations.'),
      defaultTabs: config.examples.map(({ query, variables }) => ({
        query,
        variables: variables && JSON.stringify(variables, null, 2),
      })),
      isHeadersEditorEnabled: true,
      shouldPersistHeaders: false,
      // On a phone the query needs the room.
      defaultEditorToolsVisibility: matchMedia('(max-width: 700px)').matches ? false : 'variables',
      toolbar: { additionalComponent: EditorHabits },
    });
    ReactDOM.createRoot(document.getElementById('graphiql')).render(element);
  });

  async function fetcher(parameters, options) {
    const { query, variables, operationName } = parameters;
    // Just after a change of tabs, GraphiQL still gives the operation name of the tab before.
    const isThere = new RegExp(`^\\s*(query|mutation|subscription)\\s+${operationName}\\b`, 'm').test(query);
    const headers = new Headers(options?.headers);
    // What is written in the Headers editor wins.
    if (token() !== '' && !headers.has('authorization')) headers.set('authorization', `Bearer ${token()}`);
    // Events are for subscriptions alone.
    headers.set(
      'accept',
      'application/graphql-response+json, application/json;q=0.9, text/event-stream;q=0.8',
    );
    headers.set('content-type', 'application/json');
    const body = JSON.stringify({ query, variables, operationName: isThere ? operationName : undefined });
    const leaving = new AbortController();
    const response = await fetch(config.endpoint, { method: 'POST', headers, body, signal: leaving.signal });
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      return resultsOf(response, leaving);
    }
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      const message = `The server answered ${response.status} ${response.statusText}, and not with JSON.`;
      return { errors: [{ message, extensions: { body: text.slice(0, 2000) } }] };
    }
  }

  /** The results of a subscription, as GraphiQL takes them: each when it comes, until “Stop”. */
  function resultsOf(response, leaving) {
    return {
      subscribe(observer) {
        readEvents(response, observer.next).then(observer.complete, (error) => {
          if (!leaving.signal.aborted) observer.error(error);
        });
        return { unsubscribe: () => leaving.abort() };
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

  function token() {
    return tokenField.value.trim().replace(/^Bearer\s+/i, '');
  }

  function offerAccess() {
    const kept = sessionStorage.getItem(KEPT_TOKEN);
    tokenField.value = kept ?? '';
    keepField.checked = kept !== null;
    access.hidden = false;
    const changed = () => {
      if (keepField.checked && token() !== '') sessionStorage.setItem(KEPT_TOKEN, token());
      else sessionStorage.removeItem(KEPT_TOKEN);
    };
    let timer;
    tokenField.addEventListener('input', () => {
      changed();
      clearTimeout(timer);
      timer = setTimeout(lookUp, 200);
    });
    keepField.addEventListener('change', changed);
    if (token() !== '') void lookUp();
  }

  /** The ids that the examples name, and those that they named before. */
  let ids = null;
  const earlierIds = [];
  let onIds = () => {};

  /** Whose token it is, and which ids the examples can name. */
  async function lookUp() {
    const looked = token();
    accessState.textContent = '';
    if (looked === '' || !config.hasViewer) return;
    const query = `{ viewer { owner scope maps(first: 1, filter: { isDeleted: false }) {
      nodes { id name locations(first: 1) { nodes { id } } } } } }`;
    const response = await fetcher({ query }).catch(() => null);
    // Another token was typed meanwhile.
    if (looked !== token()) return;
    const viewer = response?.data?.viewer;
    if (!viewer) {
      accessState.textContent = response?.errors?.[0]?.message ?? 'The server cannot be reached.';
      return;
    }
    const [map] = viewer.maps?.nodes ?? [];
    const may = viewer.scope === 'write' ? 'may read and write' : 'may read';
    accessState.textContent = `${viewer.owner}: ${may}${map ? `. The examples use the map ${map.name}.` : ''}`;
    if (!map) return;
    if (ids) earlierIds.push(ids);
    ids = { map: map.id, location: map.locations?.nodes[0]?.id ?? null };
    onIds();
  }

  /** The variables of an example with ids in it that there are. What deletes keeps its blank. */
  function withIds(variables) {
    if (!ids) return variables;
    let text = variables.replace(/("mapId":\s*)"put-an-id-here"/g, `$1"${ids.map}"`);
    if (ids.location) {
      text = text.replace(/("(?:id|locationId)":\s*)"put-an-id-here"/g, `$1"${ids.location}"`);
    }
    for (const { map, location } of earlierIds) {
      if (location && ids.location) text = text.replaceAll(`"${location}"`, `"${ids.location}"`);
      text = text.replaceAll(`"${map}"`, `"${ids.map}"`);
    }
    return text;
  }

  /** Renders nothing. It exists to reach the editors. */
  function EditorHabits() {
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
      // Comments and tokens are long, and should be readable to their end.
      for (const editor of [queryEditor, headerEditor]) editor?.setOption('lineWrapping', true);
    }, [queryEditor, headerEditor]);
    React.useEffect(() => (variableEditor ? keepFilled(variableEditor) : undefined), [variableEditor]);
    return null;
  }

  /** GraphiQL shows each tab's variables in one editor: they are filled in when they come there. */
  function keepFilled(editor) {
    const fill = () => {
      const text = editor.getValue();
      const filled = withIds(text);
      if (filled !== text) editor.setValue(filled);
    };
    const onChange = (_editor, change) => {
      // GraphiQL also says by hand, without a change, that there was one.
      if (change === undefined || change.origin === 'setValue') fill();
    };
    onIds = fill;
    fill();
    editor.on('change', onChange);
    return () => editor.off('change', onChange);
  }
})();
