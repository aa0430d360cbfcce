/** The address of a file with the outlines of the world; see scripts/world.mjs. */
declare module 'world:*' {
  const url: string;
  export default url;
}

/** The address of a file with towns; see scripts/towns.mjs. */
declare module 'towns:*' {
  const url: string;
  export default url;
}
