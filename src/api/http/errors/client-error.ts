import type { Socket } from 'node:net';
import { SECURITY_LINES } from '../security-headers.ts';

/** Node's codes of what no request could be read from; any other is 400. */
const STATUSES: Readonly<Record<string, readonly [status: number, text: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/**
 * Answers what could not be read as a request, in a body that clients of both APIs understand, and ends the connection. `headers`: further
 * lines of the head.
 */
export function answerClientError(
  error: Error & { readonly code?: string },
  socket: Socket,
  headers: readonly string[] = [],
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, text] = STATUSES[error.code ?? ''] ?? [400, 'Bad Request'];
  const body = JSON.stringify({ ok: false, code: status, error: text });
  const head = [
    `HTTP/1.1 ${status} ${text}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
    ...SECURITY_LINES,
    ...headers,
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
