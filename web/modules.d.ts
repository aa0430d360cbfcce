/** URL of a file of outlines; see scripts/world.mjs. */
declare module 'world:*' {
  const url: string;
  export default url;
}

/** SVG path data of icons by name; see scripts/icons.mjs. */
declare module 'icons:*' {
  const icons: Readonly<Record<string, string>>;
  export default icons;
}

/** URLs of a page's catalogues by language, without English; see scripts/catalogues.mjs. */
declare module 'languages:*' {
  const urls: Readonly<Record<string, string>>;
  export default urls;
}

/** URL of a file of towns; see scripts/towns.mjs. */
declare module 'towns:*' {
  const url: string;
  export default url;
}
