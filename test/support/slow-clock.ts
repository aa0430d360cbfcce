/**
 * An option of Node that makes a program's own clock slow. So clients are in time for whatever the program waits for, also
 * those of a test on a busy machine.
 */
export const SLOW_CLOCK = `--import data:text/javascript,${encodeURIComponent(`
  const now = performance.now.bind(performance);
  performance.now = () => now() / 40;
`)}`;
