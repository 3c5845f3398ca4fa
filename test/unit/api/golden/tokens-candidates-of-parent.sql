(SELECT 0, mc_seqno AS since, hex(account), workchain, 1
FROM contracts.tokens_by_parent
WHERE parent = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND parent_workchain = 0
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
AND since >= {UInt32 7}
AND (since > {UInt32 7} OR (account >= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account > unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain > {Int32 -1}))))
ORDER BY parent, parent_workchain, kind, mc_seqno, account, workchain
LIMIT {UInt32 50})
UNION ALL (SELECT 1, mc_seqno AS since, hex(account), workchain, 1
FROM detections.tokens_by_parent
WHERE parent = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND parent_workchain = 0
AND kind = 'jetton_wallet'
AND mc_seqno <= {UInt32 90}
AND since >= {UInt32 7}
AND (since > {UInt32 7} OR (account >= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account > unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain > {Int32 -1}))))
ORDER BY parent, parent_workchain, kind, mc_seqno, account, workchain
LIMIT {UInt32 50})
