SELECT workchain, hex(account), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), toString(amount)
FROM detections.tokens_latest
WHERE (account, workchain) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0),(unhex('BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'),-1))
AND kind = 'jetton_wallet'
AND since <= {UInt32 90}
ORDER BY lt DESC
LIMIT 1 BY account, workchain
