/** Milliseconds of processor time of this process, which other busy processes do not increase. */
export function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
