/** Cleanup at the end of the run, including after an error or a signal. */

type Undo = () => Promise<void> | void;

const undos = new Set<Undo>();

/** @returns runs the cleanup early, instead of at the end */
export function onEnd(undo: Undo): () => Promise<void> {
  undos.add(undo);
  return async () => {
    if (undos.delete(undo)) await undo();
  };
}

/** In reverse order. A failure does not stop the others. */
export async function undoAll(): Promise<void> {
  for (const undo of [...undos].reverse()) {
    undos.delete(undo);
    await Promise.resolve(undo()).catch((error: unknown) => console.error(error));
  }
}
