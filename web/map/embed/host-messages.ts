/** Messages from an embedded map to the page that frames it. docs/embedding.md documents their form. */

/** What all messages have. A change that a host could notice in a bad way needs another version. */
interface Envelope {
  readonly source: 'map-locations';
  readonly version: 1;
  readonly mapId: string;
}

export type HostMessage =
  /** The map shows its first locations. `count`: all of the map, or of the search in its address. */
  | { readonly type: 'ready'; readonly count: number | null }
  /** The reader opened a location, or closed it: null. */
  | {
      readonly type: 'select';
      readonly location: {
        readonly id: string;
        readonly name: string;
        readonly latitude: number;
        readonly longitude: number;
      } | null;
    }
  /** The reader searched; `count` is null if the search failed. */
  | {
      readonly type: 'search';
      readonly text: string;
      readonly filters: { readonly category: string | null };
      readonly count: number | null;
    }
  /** The height that the map would like, pixels. */
  | { readonly type: 'height'; readonly height: number };

export type PostToHost = (message: HostMessage) => void;

/** @returns does nothing where no page frames this one */
export function hostMessenger(mapId: string): PostToHost {
  if (window.parent === window) return () => {};
  const envelope: Envelope = { source: 'map-locations', version: 1, mapId };
  // Any page may read them: only published maps can be framed, and the messages have nothing but what those show.
  return (message) => window.parent.postMessage({ ...envelope, ...message }, '*');
}
