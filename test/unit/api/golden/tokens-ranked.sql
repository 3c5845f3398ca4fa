(SELECT {UInt32 0}, toString(amount), hex(account), workchain, net
FROM contracts.tokens_ranked
WHERE parent = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND parent_workchain = 0
AND kind = 'jetton_wallet'
AND child_code = unhex('CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD')
AND amount <= {UInt256 "9"}
AND (amount < {UInt256 "9"} OR (account <= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account < unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain < {Int32 -1}))))
ORDER BY parent DESC, parent_workchain DESC, kind DESC, child_code DESC, amount DESC, account DESC, workchain DESC
LIMIT {UInt32 150} WITH TIES)
UNION ALL (SELECT {UInt32 1}, toString(amount), hex(account), workchain, net
FROM detections.tokens_ranked
WHERE parent = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND parent_workchain = 0
AND kind = 'jetton_wallet'
AND child_code = unhex('0000000000000000000000000000000000000000000000000000000000000000')
AND amount <= {UInt256 "9"}
AND (amount < {UInt256 "9"} OR (account <= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account < unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain < {Int32 -1}))))
ORDER BY parent DESC, parent_workchain DESC, kind DESC, child_code DESC, amount DESC, account DESC, workchain DESC
LIMIT {UInt32 150} WITH TIES)
