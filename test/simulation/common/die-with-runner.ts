/**
 * Loaded into every process that a simulation starts (`--import`): when the runner is gone, however it ended,
 * its channel closes and the process ends at once.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Listening would keep the process alive: only the command itself may.
process.channel?.unref();
