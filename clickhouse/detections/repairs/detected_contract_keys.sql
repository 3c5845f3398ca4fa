-- The outcomes of the range once more: merging keeps one row, so a repeated row changes nothing.
INSERT INTO {db:Identifier}.detected_contract_keys (role, key_workchain, key, workchain, account)
SELECT found.1 AS role, found.2 AS key_workchain, toFixedString(unhex(found.3), 32) AS key, workchain, account
FROM
(
    SELECT workchain, account, arrayJoin(JSONExtract(keys, 'Array(Tuple(String, Int32, String))')) AS found
    FROM {db:Identifier}.contract_outcomes
    WHERE reason = '' AND mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
);
