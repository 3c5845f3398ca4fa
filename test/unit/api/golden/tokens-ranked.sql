SELECT toString(amount), workchain, hex(account), net
FROM contracts.tokens_ranked
WHERE parent = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND parent_workchain = 0
AND kind = 'jetton_wallet'
AND child_code = unhex('CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD')
AND amount <= {UInt256 "9"}
AND (amount < {UInt256 "9"} OR (account <= unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"})
AND (account < unhex({String "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}) OR (workchain < {Int32 -1}))))
ORDER BY parent DESC, parent_workchain DESC, kind DESC, child_code DESC, amount DESC, account DESC, workchain DESC
LIMIT {UInt32 150} WITH TIES
