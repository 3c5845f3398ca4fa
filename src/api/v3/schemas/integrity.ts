import { type Static, Type } from 'typebox';
import { nullable } from './common.ts';

const Utime = Type.Integer({ description: 'Unix time, seconds' });
const Steps = Type.Object({ first: Type.Integer(), last: Type.Integer() });
/** Steps or accounts that a portion of the proof looked at. */
const part = {
  steps: Type.Optional(Steps),
  account_part: Type.Optional(Type.Integer({ description: 'part of the accounts, by their first byte' })),
  account_part_count: Type.Optional(
    Type.Integer({ description: 'parts that were checked together, from `account_part` on; absent: one' }),
  ),
};

export const ProjectionProofSchema = Type.Object({
  projection: Type.String(),
  database: Type.String(),
  visible: Steps,
  proven: Type.Array(Steps, { description: 'masterchain steps that this round has checked' }),
  unproven_steps: Type.Integer({ description: 'visible steps that this round has not checked yet' }),
  account_parts: Type.Integer({
    description: 'number of parts of the checks by account; 0: no check is by account',
  }),
  account_parts_proven: Type.Integer(),
  round_began_at: Utime,
  round_ended_at: Type.Union([Utime, Type.Null()], {
    description: 'when this round ended; null: it is not finished',
  }),
  last_round_ended_at: nullable(Utime),
  last_proof: nullable(Type.Object({ ...part, at: Utime, checks: Type.Integer(), problems: Type.Integer() })),
  problems: Type.Array(
    Type.Object({
      ...part,
      at: Utime,
      check: Type.String(),
      problems: Type.Integer(),
      samples: Type.Array(Type.String()),
    }),
  ),
});

export const IntegritySchema = Type.Object({
  state: Type.String({
    description:
      'whole: everything was checked; proving: not everything yet; damaged: rows are missing or altered; off: the proof is switched off',
  }),
  problems: Type.Integer(),
  store_damaged: Type.Boolean({
    description: 'the server put parts aside, or rows written last before it started are missing',
  }),
  projections: Type.Array(ProjectionProofSchema),
});
export type IntegrityAnswer = Static<typeof IntegritySchema>;
