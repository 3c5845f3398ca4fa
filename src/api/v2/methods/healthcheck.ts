import { Type } from 'typebox';
import { defineMethod } from './method.ts';

/** The process answers; `/readyz` and `/healthz` have more. */
export const healthcheck = defineMethod({
  name: 'healthcheck',
  group: 'utils',
  reads: [],
  summary: 'Whether the server answers',
  parameters: {},
  result: Type.Literal('OK'),
  answer: () => 'OK',
});
