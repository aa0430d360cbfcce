/** Milliseconds of processor that this process has used since: not more where other processes are busy. */
export function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
