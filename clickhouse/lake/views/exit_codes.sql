-- Meanings of exit codes of the virtual machine, and of result codes of the action phase.
-- reads:
SELECT
    e.code AS code, -- Exit code, or result code
    e.phase AS phase, -- compute or action
    e.meaning AS meaning -- What it means
FROM values('code Int32, phase String, meaning String',
    (0, 'compute', 'success'),
    (1, 'compute', 'success of an alternative continuation'),
    (2, 'compute', 'stack underflow'),
    (3, 'compute', 'stack overflow'),
    (4, 'compute', 'integer overflow or division by zero'),
    (5, 'compute', 'integer out of range'),
    (6, 'compute', 'invalid opcode'),
    (7, 'compute', 'type check error'),
    (8, 'compute', 'cell overflow'),
    (9, 'compute', 'cell underflow'),
    (10, 'compute', 'dictionary error'),
    (11, 'compute', 'unknown error'),
    (12, 'compute', 'fatal error'),
    (13, 'compute', 'out of gas'),
    (-14, 'compute', 'out of gas'),
    (14, 'compute', 'virtualization error'),
    (32, 'action', 'invalid action list'),
    (33, 'action', 'too many actions'),
    (34, 'action', 'invalid or unsupported action'),
    (35, 'action', 'invalid source address'),
    (36, 'action', 'invalid destination address'),
    (37, 'action', 'not enough TON'),
    (38, 'action', 'not enough extra currencies'),
    (39, 'action', 'message does not fit into a cell'),
    (40, 'action', 'message cannot be processed'),
    (41, 'action', 'null library reference'),
    (42, 'action', 'library change error'),
    (43, 'action', 'library limits exceeded'),
    (50, 'action', 'account state size limits exceeded')) AS e
