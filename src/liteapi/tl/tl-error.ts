import { UnexpectedValueError } from '../../platform/errors/error-kinds.ts';

/** Bytes that are not the expected TL value, or a value that TL cannot carry. `where`: the type and field. */
export class TlError extends UnexpectedValueError {}
