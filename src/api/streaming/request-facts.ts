import type { FastifyRequest } from 'fastify';
import { type Position, readPosition } from './position.ts';
import { refused } from './read-subscription.ts';

/** Header `X-Actions-Version`; null if absent. */
export function getActionsVersion({ headers }: FastifyRequest): string | null {
  return headers['x-actions-version']?.toString().trim() || null;
}

/** The place that a text names. @throws HttpError 400 */
export function startAt(text: string): Position {
  const position = readPosition(text.trim());
  if (position) return position;
  throw refused('invalid Last-Event-ID: it must be the id of an event of this server');
}
