/** Reads a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

export interface ServerEvent {
  readonly event: string;
  /** Empty where there is none. */
  readonly data: string;
}

/** An event, or null for anything else that shows that the other side is there. */
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
    // Lets go of the connection.
    reader.cancel().catch(() => {});
  }
}

/** Null for a block of comments. */
function eventOf(block: string): ServerEvent | null {
  let event = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    // With the flag, a value may hold what JavaScript takes for the end of a line: U+2028 and U+2029.
    const [, name, value = ''] = /^([^:]+):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return event === '' ? null : { event, data: data.join('\n') };
}
