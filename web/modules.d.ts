/** URL of a file of outlines; see scripts/world.mjs. */
declare module 'world:*' {
  const url: string;
  export default url;
}

/** URL of a file of towns; see scripts/towns.mjs. */
declare module 'towns:*' {
  const url: string;
  export default url;
}
