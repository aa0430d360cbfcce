/** Cleanup that runs however the run ends. */

type Undo = () => Promise<void> | void;

const undos = new Set<Undo>();

/** @returns a function that runs the cleanup now, once */
export function onEnd(undo: Undo): () => Promise<void> {
  undos.add(undo);
  return async () => {
    if (undos.delete(undo)) await undo();
  };
}

/** Runs in reverse order. A failure does not prevent the others. */
export async function undoAll(): Promise<void> {
  for (const undo of [...undos].reverse()) {
    undos.delete(undo);
    await Promise.resolve(undo()).catch((error: unknown) => console.error(error));
  }
}
