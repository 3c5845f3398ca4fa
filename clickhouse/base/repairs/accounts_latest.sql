-- The states of the range once more: the engine keeps the newest row of an account, so a repeated row changes nothing.
INSERT INTO {db:Identifier}.accounts_latest
SELECT * FROM {db:Identifier}.account_states
WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32};
