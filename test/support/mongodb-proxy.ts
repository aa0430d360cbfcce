/**
 * A proxy between an adapter and its server that understands the wire protocol just enough to hold up a statement, to cut
 * the connection at a statement, as a crash would, and to change the server's responses.
 */

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

import type { Document } from 'mongodb';
import { BSON } from 'mongodb';

const OP_MSG = 2013;
const OP_REPLY = 1;
const OP_MSG_BODY = 21;
const OP_REPLY_BODY = 36;
const HEADER = 16;
/** The kind of a section with a list of documents. */
const SEQUENCE = 1;
/** Commands that the driver sends on its own. */
const NOT_STATEMENTS = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'saslStart']);
/** Statements that the server responds to when something happens. */
const WAITING = new Set(['getMore']);

/** What happens to a statement: it passes, its response is lost, or it is lost itself; so is everything after it. */
export type Fate = 'pass' | 'cut after' | 'cut before';

export interface ProxyOptions {
  /** Called before a statement passes; may take its time. */
  readonly judge?: (name: string, command: Document) => Fate | Promise<Fate>;
  readonly onCut?: () => void;
  /** Responds to a statement instead of the server, which never sees it; undefined lets it pass. May take its time. */
  readonly instead?: (
    name: string,
    command: Document,
  ) => Document | undefined | Promise<Document | undefined>;
  /** Changes every response. */
  readonly response?: (response: Document) => Document;
}

export interface Proxy {
  readonly url: string;
  /** Lets nothing pass from now on, and refuses connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Relays to the server of `target`, a URL with one host and optionally a user, for the same database. */
export async function startProxy(target: string, options: ProxyOptions = {}): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  /** Statements that have reached the server and that it has not responded to. */
  const underWay = new Set<Buffer>();
  let whenDone = () => {};
  let isCut = false;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
    options.onCut?.();
  };
  // A statement on another connection would run after the cut, while a test looks at what is there.
  const cutWhenDone = async () => {
    isCut = true;
    if (underWay.size > 0) {
      await new Promise<void>((resolve) => {
        whenDone = resolve;
      });
    }
    cut();
  };
  const isDone = (statement: Buffer | null) => {
    if (statement !== null && underWay.delete(statement) && underWay.size === 0) whenDone();
  };

  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port || 27017), hostname);
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    let loseResponse = false;
    let current: Buffer | null = null;
    upstream.on('close', () => isDone(current));
    relay(client, async (message) => {
      const command = commandOf(message);
      const [name = ''] = Object.keys(command ?? {});
      const isStatement = command !== null && !NOT_STATEMENTS.has(name);
      const fate = isStatement ? ((await options.judge?.(name, command)) ?? 'pass') : 'pass';
      if (fate === 'cut before') await cutWhenDone();
      const made = isStatement && fate === 'pass' ? await options.instead?.(name, command) : undefined;
      if (made !== undefined) {
        if (!isCut) client.write(responseTo(message, made));
        return;
      }
      loseResponse = fate === 'cut after';
      if (isCut) return;
      if (isStatement && !WAITING.has(name)) {
        current = message;
        underWay.add(message);
      }
      upstream.write(message);
    });
    relay(upstream, async (message) => {
      isDone(current);
      if (loseResponse) await cutWhenDone();
      if (!isCut) client.write(options.response === undefined ? message : changed(message, options.response));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  // Only this address: a replica set would name its members' own addresses.
  url.searchParams.delete('replicaSet');
  url.searchParams.set('directConnection', 'true');
  return {
    url: url.href,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Passes on whole messages, one after another. */
function relay(socket: Socket, handle: (message: Buffer) => Promise<void>): void {
  let rest: Buffer = Buffer.alloc(0);
  let last = Promise.resolve();
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      last = last.then(() => handle(message)).catch(() => void socket.destroy());
    }
  });
}

/** A command with the documents of its other sections; null for anything else. */
function commandOf(message: Buffer): Document | null {
  if (message.readInt32LE(12) !== OP_MSG) return null;
  const command = bodyOf(message, OP_MSG_BODY);
  let offset = OP_MSG_BODY + message.readInt32LE(OP_MSG_BODY);
  while (offset < message.length && message[offset] === SEQUENCE) {
    const end = offset + 1 + message.readInt32LE(offset + 1);
    const nameEnd = message.indexOf(0, offset + 5);
    const documents: Document[] = [];
    for (let at = nameEnd + 1; at < end; at += message.readInt32LE(at)) documents.push(bodyOf(message, at));
    command[message.toString('utf8', offset + 5, nameEnd)] = documents;
    offset = end;
  }
  return command;
}

function bodyOf(message: Buffer, start: number, options: BSON.DeserializeOptions = {}): Document {
  return BSON.deserialize(message.subarray(start, start + message.readInt32LE(start)), options);
}

function responseTo(message: Buffer, response: Document): Buffer {
  const body = BSON.serialize(response);
  const head = Buffer.alloc(OP_MSG_BODY);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}

function changed(message: Buffer, change: (response: Document) => Document): Buffer {
  const code = message.readInt32LE(12);
  if (code !== OP_MSG && code !== OP_REPLY) return message;
  const start = code === OP_MSG ? OP_MSG_BODY : OP_REPLY_BODY;
  // Keeps the id of a cursor a long.
  const body = BSON.serialize(change(bodyOf(message, start, { useBigInt64: true })));
  const result = Buffer.concat([message.subarray(0, start), body]);
  result.writeInt32LE(result.length, 0);
  // A checksum would be wrong.
  if (code === OP_MSG) result.writeUInt32LE(result.readUInt32LE(HEADER) & ~1, HEADER);
  return result;
}
