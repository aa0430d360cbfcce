/** Opens the audit log anew at SIGHUP, after it was moved away. Without one a SIGHUP ends the process, as ever. */

export function reopenOnSignal(reopen: (() => void) | null): void {
  if (reopen !== null) process.on('SIGHUP', reopen);
}
