SELECT workchain, hex(account), if(has_parent, concat(toString(parent_workchain), ':', hex(parent)), NULL), toString(item_index)
FROM detections.confirmed_tokens
WHERE (account, workchain) IN ((unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),0),(unhex('BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'),-1))
AND kind = 'jetton_wallet'
AND since <= {UInt32 90}
ORDER BY since
