import { integrityAnswer } from '../answers/integrity-answer.ts';
import { endpoint } from '../endpoint.ts';
import { type IntegrityAnswer, IntegritySchema } from '../schemas/integrity.ts';

/** `/integrity`, an addition to the contract: the proof of the served tables. */
export const integrity = endpoint({
  path: '/integrity',
  tag: 'utils',
  summary: 'How far the continuous proof of the tables is, and what it found missing or altered.',
  reads: [],
  parameters: {},
  answer: IntegritySchema,
  async handle(scope): Promise<IntegrityAnswer> {
    return integrityAnswer(scope.context.integrity);
  },
});
