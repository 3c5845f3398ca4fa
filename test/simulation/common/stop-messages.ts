/** Messages to a process that runs stop-before-insert.ts, which only processes of a simulation may load. */
export const STOP = 'stop before an insert';
export const GO_ON = 'do not stop before an insert';
