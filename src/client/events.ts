/** Parses a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

export interface ServerEvent {
  readonly event: string;
  /** Empty when there is none. */
  readonly data: string;
}

/** Yields events, and null for each received chunk as a sign of life. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent | null, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      yield null;
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    // Closes the connection.
    reader.cancel().catch(() => {});
  }
}

/** Null for comments. */
function eventOf(block: string): ServerEvent | null {
  let event = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    // The s flag, because a value may contain U+2028 and U+2029, which end a line for JavaScript.
    const [, name, value = ''] = /^([^:]+):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return event === '' ? null : { event, data: data.join('\n') };
}
