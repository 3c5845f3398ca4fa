-- Closed attempts (`fences`) by what the ids of their statements begin with, kept in memory: landing tables look every insert
-- up here, at a fraction of what a look at `fences` costs (docs/decisions/0091). An attempt closes all before it.
-- On a cluster each server has its own, of what was closed through it: there statements look at `fences`.
CREATE TABLE IF NOT EXISTS {db}.closed_attempts{cluster}
(
    id String COMMENT 'Start of the ids of the statements.',
    is_closed UInt8 COMMENT 'Always 1.'
)
ENGINE = Join(ANY, LEFT, id)
COMMENT 'Closed attempts in memory, by the start of the ids of their statements: each insert looks here.';

-- Names of tenures, which are noted in `fences` too, end otherwise.
CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.closed_attempts_mv{cluster} TO {db}.closed_attempts AS
SELECT concat(`range`, 'a', toString(arrayJoin(range(1, attempt + 1)))) AS id, 1 AS is_closed
FROM {db}.fences
WHERE endsWith(`range`, ':');
