import { UsageError } from '../platform/errors/error-kinds.ts';

/** A command that cannot be done, and why. */
export class ControlRefusal extends UsageError {}
