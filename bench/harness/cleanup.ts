/** What has to be undone however the run ends. */

type Undo = () => Promise<void> | void;

const undos = new Set<Undo>();

/** @returns does it now, once */
export function onEnd(undo: Undo): () => Promise<void> {
  undos.add(undo);
  return async () => {
    if (undos.delete(undo)) await undo();
  };
}

/** The last registered first. One that fails does not hold up the others. */
export async function undoAll(): Promise<void> {
  for (const undo of [...undos].reverse()) {
    undos.delete(undo);
    await Promise.resolve(undo()).catch((error: unknown) => console.error(error));
  }
}
