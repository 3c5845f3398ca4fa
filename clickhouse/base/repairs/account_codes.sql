-- The states of the range once more: the engine keeps the newest row of an account, so a repeated row changes nothing.
INSERT INTO {db:Identifier}.account_codes
SELECT reinterpretAsUInt64(reverse(substring(account, 1, 8))) AS account8, account, workchain, lt,
    toFixedString(concat(account, reinterpretAsFixedString(workchain), reinterpretAsFixedString(lt), code_hash), 76) AS newest
FROM {db:Identifier}.account_states
WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32};
